"""Litmus tests in assembly: what instructions do, which dependencies they make, and what is wrong with bad ones."""

from __future__ import annotations

import pytest

from porf.errors import ProgramError
from porf.exploration.candidates import explore_candidates
from porf.models.registry import find_model
from porf.programs.litmus import read_litmus

MODELS = {"X86_64": "x86tso", "X86": "x86tso", "AArch64": "aarch64", "PPC": "ppc", "RISCV": "riscv"}


def table(word: str, start: str, columns: list[list[str]], end: str) -> str:
    height = max(map(len, columns))
    rows = [" | ".join(c[n] if n < len(c) else "" for c in columns) + " ;" for n in range(height)]
    head = " | ".join(f"P{n}" for n in range(len(columns))) + " ;"
    return "\n".join([f"{word} test", f"{{ {start} }}", head, *rows, end])


def seen(text: str, model: str = "") -> list[str]:
    test = read_litmus(text)
    found = explore_candidates(test, find_model(model or MODELS[text.split()[0]]))
    assert found.observation is not None
    assert not found.reasons
    return [found.observation.line(state) for state in sorted(found.observation.states)]


# Architecture, initial state, code of one thread, and what it ends in.
ONE_THREAD = [
    ("AArch64", "uint64_t 0:X0; uint64_t x=3; 0:X1=x;", ["LDR X2,[X1]"], "0:X0 0:X2", "0:X0=0; 0:X2=3;"),
    ("X86_64", "", ["movl $5,%eax", "movl %eax,(x)", "addl $2,(x)"], "0:rax x", "0:rax=5; [x]=7;"),
    ("X86_64", "uint64_t x=3;", ["movq (x),%rax", "subq $5,%rax", "movq %rax,(x)"], "x", "[x]=-2;"),
    ("X86_64", "x=4;", ["movl $1,%eax", "lock xaddl %eax,(x)"], "0:rax x", "0:rax=4; [x]=5;"),
    (
        "X86_64",
        "x=4;",
        ["movl $9,%ebx", "movl $4,%eax", "lock cmpxchgl %ebx,(x)", "sete %cl"],
        "0:rcx x",
        "0:rcx=1; [x]=9;",
    ),
    (
        "X86_64",
        "x=4;",
        ["movl $9,%ebx", "lock cmpxchgl %ebx,(x)", "setne %cl"],
        "0:rax 0:rcx x",
        "0:rax=4; 0:rcx=1; [x]=4;",
    ),
    ("X86_64", "", ["movl $3,%eax", "cmpl $4,%eax", "jl L", "movl $1,(x)", "L: incl (x)"], "x", "[x]=1;"),
    ("X86_64", "", ["movl $-1,%eax", "cmpl $1,%eax", "setb %bl", "setl %cl"], "0:rbx 0:rcx", "0:rbx=0; 0:rcx=1;"),
    ("X86_64", "0:rsi=x; x=6;", ["movl 0(%rsi),%eax", "cmpl $6,%eax", "cmovel %eax,%ebx"], "0:rbx", "0:rbx=6;"),
    ("X86_64", "int a[4]={5,6,7,8}; 0:rsi=a; 0:rdi=2;", ["movl 4(%rsi,%rdi,4),%eax"], "0:rax", "0:rax=8;"),
    ("X86", "", ["MOV EAX,$5", "MOV [x],EAX", "LOCK INC [x]", "XCHG [x],EAX"], "0:EAX x", "0:EAX=6; [x]=5;"),
    ("X86", "x=2;", ["LOCK ADD [x],$3", "DEC [x]"], "x", "[x]=4;"),
    ("AArch64", "0:X1=x;", ["MOV W0,#3", "STR W0,[X1]", "LDADDAL W0,W2,[X1]"], "0:X2 x", "0:X2=3; [x]=6;"),
    ("AArch64", "0:X1=x; x=12;", ["MOV W0,#4", "LDCLR W0,W2,[X1]"], "0:X2 x", "0:X2=12; [x]=8;"),
    ("AArch64", "0:X1=x; x=2;", ["MOV W0,#2", "MOV W3,#7", "CASAL W0,W3,[X1]"], "0:X0 x", "0:X0=2; [x]=7;"),
    ("AArch64", "0:X1=x; x=2;", ["MOV W0,#3", "MOV W3,#7", "CAS W0,W3,[X1]"], "0:X0 x", "0:X0=2; [x]=2;"),
    (
        "AArch64",
        "",
        ["MOV X0,#1", "SUB X0,X0,#3", "CMP X0,#1", "CSET X1,LT", "CSET X2,LO"],
        "0:X1 0:X2",
        "0:X1=1; 0:X2=0;",
    ),
    ("AArch64", "", ["MOV W0,#1", "SUB W0,W0,#2", "ADD X1,X0,#1"], "0:X1", "0:X1=4294967296;"),
    ("AArch64", "", ["MOV W0,#1", "MOV W1,#2", "CMP W0,W1", "CSINC W2,W0,W1,EQ"], "0:X2", "0:X2=3;"),
    ("AArch64", "uint64_t a[2]={7,9}; 0:X1=a;", ["LDR X0,[X1],#8", "LDR X2,[X1]"], "0:X0 0:X2", "0:X0=7; 0:X2=9;"),
    ("AArch64", "uint64_t a[2]={7,9}; 0:X1=a;", ["LDR X0,[X1,#8]!", "STR XZR,[X1]"], "0:X0 a[1]", "0:X0=9; a[1]=0;"),
    (
        "AArch64",
        "int a[2]={7,9}; 0:X1=a;",
        ["LDP W0,W2,[X1]", "MOV W3,#1", "LDR W4,[X1,W3,UXTW #2]"],
        "0:X2 0:X4",
        "0:X2=9; 0:X4=9;",
    ),
    (
        "AArch64",
        "",
        ["MOV W0,#5", "TBNZ W0,#2,L", "MOV W0,#0", "L: TST W0,#2", "B.EQ M", "MOV W0,#1", "M:"],
        "0:X0",
        "0:X0=5;",
    ),
    (
        "PPC",
        "0:r1=x; x=3;",
        ["lwz r2,0(r1)", "addi r2,r2,-5", "cmpwi r2,0", "blt L", "li r2,9", "L: stw r2,0(r1)"],
        "x",
        "[x]=-2;",
    ),
    (
        "PPC",
        "0:r1=x; x=3;",
        ["li r3,4", "lwarx r2,r0,r1", "stwcx. r3,r0,r1", "beq L", "li r2,77", "L:"],
        "0:r2 x",
        None,
    ),
    (
        "PPC",
        "0:r1=a; int a[2]={1,2};",
        ["lwzu r2,4(r1)", "lwz r3,0(r1)", "subf r4,r3,r2"],
        "0:r3 0:r4",
        "0:r3=2; 0:r4=0;",
    ),
    ("RISCV", "0:x5=x; x=3;", ["amoadd.w.aqrl x6,x5,(x5)"], "0:x6", None),
    (
        "RISCV",
        "0:x5=x; x=3;",
        ["li x7,4", "amoswap.w x6,x7,(x5)", "sltu x8,x7,x6"],
        "0:x6 0:x8 x",
        "0:x6=3; 0:x8=0; [x]=4;",
    ),
    (
        "RISCV",
        "",
        ["li a0,-1", "li a1,1", "bltu a0,a1,L", "ori a2,x0,5", "L: addi x0,x0,1"],
        "0:a2 0:x0",
        "0:a2=5; 0:x0=0;",
    ),
    ("RISCV", "0:x5=x;", ["lr.w x6,(x5)", "ori x7,x0,2", "sc.w x8,x7,(x5)", "bnez x8,L", "L:"], "0:x8 x", None),
]


@pytest.mark.parametrize(("word", "start", "code", "shown", "expected"), ONE_THREAD)
def test_what_instructions_do(word: str, start: str, code: list[str], shown: str, expected: str | None) -> None:
    text = table(word, start, [code], f"locations [{';'.join(shown.split())};]")
    if expected is not None:
        assert seen(text) == [expected]
    else:
        assert seen(text)


def test_a_store_conditional_may_fail() -> None:
    code = ["lr.w x6,(x5)", "ori x7,x0,2", "sc.w x8,x7,(x5)"]
    assert seen(table("RISCV", "0:x5=x;", [code], "locations [0:x8;x;]")) == ["0:x8=0; [x]=2;", "0:x8=1; [x]=0;"]


@pytest.mark.parametrize(
    ("word", "start", "code"),
    [
        ("AArch64", "{}:X1=x;", ["L: LDXR W0,[X1]", "ADD W0,W0,#1", "STXR W2,W0,[X1]", "CBNZ W2,L"]),
        ("PPC", "{}:r1=x;", ["L: lwarx r2,r0,r1", "addi r2,r2,1", "stwcx. r2,r0,r1", "bne L"]),
        ("RISCV", "{}:x5=x;", ["L: lr.w x6,(x5)", "addi x6,x6,1", "sc.w x7,x6,(x5)", "bnez x7,L"]),
        ("RISCV", "{}:x5=x;", ["ori x6,x0,1", "amoadd.w x0,x6,(x5)"]),
        ("X86_64", "", ["lock incl (x)"]),
        ("AArch64", "{}:X1=x;", ["MOV W0,#1", "STADD W0,[X1]"]),
    ],
)
def test_increments_are_atomic(word: str, start: str, code: list[str]) -> None:
    starts = "".join(start.format(n) for n in range(3))
    assert seen(table(word, starts, [code] * 3, "locations [x;]")) == ["[x]=3;"]


def load_buffering(second: list[str]) -> str:
    first = ["LDR W0,[X1]", "DMB SY", "MOV W2,#1", "STR W2,[X3]"]
    start = "0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; 1:X8=z;"
    return table("AArch64", start, [first, second], "exists (0:X0=1 /\\ 1:X0=1)")


@pytest.mark.parametrize(
    ("second", "allowed"),
    [
        (["LDR W0,[X1]", "MOV W2,#1", "STR W2,[X3]"], True),
        (["LDR W0,[X1]", "EOR W4,W0,W0", "ADD W2,W4,#1", "STR W2,[X3]"], False),
        (["LDR W0,[X1]", "EOR W4,W0,W0", "MOV W2,#1", "STR W2,[X3,W4,SXTW]"], False),
        (["LDR W0,[X1]", "CBNZ W0,L", "L: MOV W2,#1", "STR W2,[X3]"], False),
        (["LDR W0,[X1]", "CMP W0,#0", "B.EQ L", "L: MOV W2,#1", "STR W2,[X3]"], False),
        (["LDR W0,[X1]", "CMP W0,#0", "CSET W4,EQ", "MOV W2,#1", "STR W2,[X3]"], True),
        (["LDR W0,[X1]", "EOR W5,W0,W0", "ADD W5,W5,#1", "STR W5,[X8]", "MOV W2,#1", "STR W2,[X3]"], True),
        (["LDR W0,[X1]", "EOR W5,W0,W0", "MOV W2,#1", "STR W2,[X8,W5,SXTW]", "STR W2,[X3]"], False),
        # Nothing depends on the success register.
        (
            [
                "LDR W0,[X1]",
                "LDXR W6,[X8]",
                "EOR W5,W0,W0",
                "STXR W4,W5,[X8]",
                "EOR W4,W4,W4",
                "ADD W2,W4,#1",
                "STR W2,[X3]",
            ],
            True,
        ),
        (["LDAR W0,[X1]", "MOV W2,#1", "STR W2,[X3]"], False),
        (["LDAPR W0,[X1]", "MOV W2,#1", "STR W2,[X3]"], False),
        (["LDR W0,[X1]", "MOV W2,#1", "STLR W2,[X3]"], False),
        (["LDR W0,[X1]", "DMB LD", "MOV W2,#1", "STR W2,[X3]"], False),
        (["LDR W0,[X1]", "DMB ST", "MOV W2,#1", "STR W2,[X3]"], True),
    ],
)
def test_dependencies_and_orders(second: list[str], allowed: bool) -> None:
    found = explore_candidates(read_litmus(load_buffering(second)), find_model("aarch64"))
    assert found.observation is not None
    assert found.observation.observation == ("Sometimes" if allowed else "Never")


@pytest.mark.parametrize(("store", "allowed"), [("sc.w x9,x8,(x10)", False), ("sw x8,0(x10)", True)])
def test_a_success_register_carries_a_dependency_on_riscv(store: str, allowed: bool) -> None:
    """From the store-conditional to what depends on its success; rule 13 of its model orders nothing else here."""
    second = ["lr.w x11,(x10)", "ori x8,x0,1", store, "xor x9,x9,x9", "add x7,x12,x9", "ori x6,x0,1", "sw x6,0(x7)"]
    first = ["lw x5,0(x7)", "fence rw,rw", "lw x6,0(x10)"]
    start = "0:x7=y; 0:x10=x; 1:x10=x; 1:x12=y;"
    text = table("RISCV", start, [first, second], "exists (0:x5=1 /\\ 0:x6=0 /\\ [x]=1)")
    found = explore_candidates(read_litmus(text), find_model("riscv"))
    assert found.observation is not None
    assert (found.observation.observation == "Sometimes") == allowed


def test_a_loop_that_changes_something_is_cut_off_and_said_so() -> None:
    text = table("AArch64", "0:X1=x;", [["L: MOV W0,#1", "STR W0,[X1]", "LDR W2,[X1]", "CBNZ W2,L"]], "exists ([x]=1)")
    found = explore_candidates(read_litmus(text), find_model("aarch64"))
    assert found.verdict == "undecided"
    assert "was cut off after 4 turns" in found.reasons[0]
    assert found.exit_code == 3


def test_a_loop_that_waits_is_not_cut_off() -> None:
    first = ["MOV W0,#1", "STR W0,[X1]"]
    text = table("AArch64", "0:X1=x; 1:X1=x;", [first, ["L: LDR W2,[X1]", "CBZ W2,L"]], "forall (1:X2=1)")
    found = explore_candidates(read_litmus(text), find_model("aarch64"))
    assert (found.verdict, found.executions) == ("safe", 1)


ERRORS = [
    ("AArch64", "0:X1=x;", ["LDRQ W0,[X1]"], "", "unknown instruction 'ldrq' of AArch64", "4:1"),
    ("AArch64", "0:X1=x;", ["LDR W99,[X1]"], "", "AArch64 has no register 'W99'", "4:5"),
    ("AArch64", "0:X1=x;", ["LDR W0,[Y1]"], "", "AArch64 has no register 'Y1'", "4:9"),
    ("AArch64", "0:Q1=x;", ["NOP"], "", "AArch64 has no register 'Q1'", "2:5"),
    ("AArch64", "", ["DMB XX"], "", "DMB has no option 'XX'", "4:5"),
    ("AArch64", "", ["B L"], "", "P0 has no label 'L'", "4:3"),
    ("AArch64", "", ["MOV W0"], "", "mov has 2 or 3 operands, but here it has 1", "4:1"),
    ("AArch64", "", ["MOV W0,banana"], "", "AArch64 has no register 'banana'", "4:8"),
    ("AArch64", "", ["CSET W0,ZZ"], "", "there is no condition 'ZZ'", "4:9"),
    ("AArch64", "", ["LDR W0,X1"], "", "expected an address, but found 'X1'", "4:8"),
    ("X86_64", "", ["movl (x),(y)"], "", "two operands in memory", "4:6"),
    ("X86_64", "", ["movl %eax,$1"], "", "a number cannot be written to", "4:11"),
    ("X86_64", "", ["movk %eax,(x)"], "", "unknown instruction 'movk' of x86", "4:1"),
    ("PPC", "", ["lwz r1,r2"], "", "expected an address, but found 'r2'", "4:8"),
    ("PPC", "", ["cmpw cr9,r1,r2"], "", "expected a condition field, but found 'cr9'", "4:6"),
    ("RISCV", "", ["fence rx,w"], "", "'rx' is no set of accesses", "4:7"),
    ("RISCV", "", ["lw x99,0(x1)"], "", "RISC-V has no register 'x99'", "4:4"),
    ("RISCV", "", ["L: nop", "L: nop"], "", "there are two labels 'L'", "5:1"),
    ("RISCV", "", ["nop"], "exists (0:x77=1)", "P0 has no register 'x77'", "5:11"),
    ("RISCV", "", ["nop"], "exists (q=1)", "there is no location 'q'", "5:9"),
]


@pytest.mark.parametrize(("word", "start", "code", "end", "message", "place"), ERRORS)
def test_what_is_wrong_is_shown_in_its_place(
    word: str, start: str, code: list[str], end: str, message: str, place: str
) -> None:
    with pytest.raises(ProgramError) as caught:
        read_litmus(table(word, start, [code], end), "t.litmus")
    assert caught.value.message == message
    assert f"{caught.value.line}:{caught.value.column}" == place


def test_a_table_is_a_table() -> None:
    for text, message in (
        ("AArch64 t\n{ }\n P0 | P2 ;\n NOP | NOP ;\n", "expected P1, but found 'P2'"),
        ("AArch64 t\n{ }\n P0 ;\n NOP\n", "this row does not end"),
        ("AArch64 t\n{ }\n P0 ;\n NOP | NOP ;\n", "this row has 2 columns, but there are 1 threads"),
        ("AArch64 t\n{ }\n", "a test has threads"),
        ("ARM64 t\n{ }\n P0 ;\n NOP ;\n", "this is a litmus test for ARM64; only"),
    ):
        with pytest.raises(ProgramError) as caught:
            read_litmus(text)
        assert caught.value.message.startswith(message)


def test_comments_and_labels_stand_anywhere() -> None:
    text = (
        "AArch64 t (* a (* nested *) comment *)\n{ 0:X1=x; }\n P0 ; (* names *)\n L0: ;\n (* MOV W9,#9 *) MOV W0,#1 ;\n"
    )
    assert seen(text + " STR W0,[X1] ;\nlocations [x;]") == ["[x]=1;"]


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (["LDR W0,[X1]", "LDR X2,[X1]"], "this location is accessed with different widths"),
        (["LDR W0,[X5]"], "an execution accesses an address here that is no location"),
    ],
)
def test_what_no_model_explains_is_refused(code: list[str], message: str) -> None:
    with pytest.raises(ProgramError) as caught:
        seen(table("AArch64", "0:X1=x;", [code], "exists (0:X0=0)"))
    assert caught.value.message.startswith(message)
    assert caught.value.line is not None
