"""Functions that do nothing that a memory model knows of, and succeed: attributes, sleeping, clocks, LLVM's hints."""

from porf.programs.c.library.record import ALL, Call, function
from porf.programs.c.lifetimes import begin, end

ATTRIBUTES = [f"pthread_{of}attr_*" for of in ("", "cond", "barrier", "rwlock")]
ATTRIBUTES += ["pthread_mutexattr_destroy", "pthread_mutexattr_setpshared"]
THREADS = ["pthread_detach", "pthread_setname_np", "pthread_setconcurrency", "pthread_setaffinity_np"]
THREADS += ["pthread_setschedparam", "pthread_setschedprio", "pthread_testcancel", "pthread_atfork"]
YIELDING = ["sched_yield", "pthread_yield", "thrd_yield", "sched_setaffinity", "sched_setscheduler", "setpriority"]
SLEEPING = ["usleep", "sleep", "nanosleep", "thrd_sleep", "clock_nanosleep"]
STREAMS = ["fflush", "setvbuf", "setbuf", "fclose", "setlinebuf", "setlocale", "fsync", "sync"]
DEBUGGING = ["dbg", "var.annotation", "pseudoprobe", "fake.use", "frameaddress", "returnaddress"]
OPTIMISING = ["assume", "is.constant", "invariant", "prefetch", "donothing", "experimental.noalias.scope.decl"]
PROCESSOR = ["stacksave", "stackrestore", "x86.sse2.pause", "readcyclecounter", "va_end"]


@function(*ATTRIBUTES, *THREADS, *YIELDING, *SLEEPING, *STREAMS, forgets=ALL)
@function("pthread_spin_destroy", "clock", "__porf_keep", forgets=ALL)
@function(*(f"llvm.{name}" for name in (*DEBUGGING, *OPTIMISING, *PROCESSOR)), forgets=ALL)
def nothing(call: Call) -> None:
    pass


function("llvm.lifetime.start", forgets=ALL)(begin)
function("llvm.lifetime.end", forgets=ALL)(end)


@function("llvm.expect", "llvm.annotation", "llvm.ptr.annotation", gives_back=(0,))
@function("llvm.launder.invariant.group", "llvm.strip.invariant.group", "llvm.ssa.copy", gives_back=(0,))
@function("llvm.threadlocal.address", gives_back=(0,))
def first(call: Call) -> tuple[int, ...]:
    """What it is given, with something said about it."""
    return call.frame.all(call.operands[0])
