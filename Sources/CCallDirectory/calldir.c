/* The header has no code; this file makes it a module and checks its layout assertions in every build. */
#include "calldir.h"
