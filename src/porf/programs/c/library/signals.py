"""Signals, which never arrive: handlers are installed in vain, and the report says so."""

from porf.programs.c.library.record import ALL, Call, function

NOTE = "signals never arrive: handlers that the program installs do not run"
SETS = ["sigemptyset", "sigfillset", "sigaddset", "sigdelset"]
MASKS = ["pthread_sigmask", "sigprocmask", "sigaltstack", "siginterrupt", "alarm", "ualarm", "setitimer"]


@function(*SETS, *MASKS, forgets=ALL)
def nothing(call: Call) -> None:
    pass


@function("signal", "sigaction", "sigset", "bsd_signal", "__sysv_signal", forgets=ALL)
def install(call: Call) -> None:
    call.frame.unit.notes[NOTE] = None
