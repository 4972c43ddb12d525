#ifndef TAPEDECK_CSHIMS_H
#define TAPEDECK_CSHIMS_H

// C wrappers for what Swift cannot call: variadic functions, macros, and epoll.

#include "CShimsEpoll.h"
#include "CShimsLoop.h"
#include "CShimsSocket.h"
#include "CShimsSystem.h"

#include "CShimsCurl.h"
#include "CShimsTLS.h"

#endif
