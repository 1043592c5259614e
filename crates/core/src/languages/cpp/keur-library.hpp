// The whole standard library, as programs of competitions include it. It is precompiled, since it takes a second to read.
#pragma once

#if __has_include(<bits/stdc++.h>)
#include <bits/stdc++.h>
#endif
