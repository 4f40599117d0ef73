"""What published cat files are made of: procedures, choices, variants, tags, and names that only some machines have."""

from __future__ import annotations

from pathlib import Path

import pytest

import porf
from porf.errors import ModelError
from porf.language import parse_model
from porf.language.model_file import LIBRARY, load_model_file
from porf.programs.litmus import read_litmus

SB = "T0 w x 1\nT0 r y 0\nT1 w y 1\nT1 r x 0"
LOCKED = "T0 u x 0->1 lock\nT0 r y 0\nT1 u y 0->1 lock\nT1 r x 0"

# In the manner of the field's file for x86: names of fences by a library file, filters, A for locked accesses.
X86 = """X86 TSO
include "x86fences.cat"
include "filters.cat"
include "cos.cat"
let com = rf | fr | co
acyclic po-loc | com
empty rmw & (fre;coe)
let kept = WW(po) | RM(po)
let poWR = WR(po)
let implied = MA(poWR) | AM(poWR)
let ghb = mfence | implied | kept | rfe | fr | co
show implied
acyclic ghb as tso
"""


@pytest.fixture
def x86(tmp_path: Path) -> Path:
    path = tmp_path / "x86tso.cat"
    path.write_text(X86)
    return path


def test_locked_accesses_are_what_they_are_on_x86(x86: Path) -> None:
    assert porf.check(porf.loads(SB), x86).consistent
    assert porf.check(porf.loads(LOCKED), x86).axiom == "tso"
    fenced = SB.replace("1\nT0 r", "1\nT0 f mfence\nT0 r").replace("1\nT1 r", "1\nT1 f mfence\nT1 r")
    assert porf.check(porf.loads(fenced), x86).axiom == "tso"
    assert porf.check(porf.loads(fenced.replace("mfence", "sfence")), x86).consistent


def test_a_file_for_a_machine_is_not_asked_of_the_orders_of_c(x86: Path) -> None:
    with pytest.raises(porf.FormatError, match="x86tso is a model of x86, which has no orders of C"):
        porf.check(porf.loads(SB.replace("w x 1", "w x 1 rel")), x86)


def test_names_without_a_meaning_here_are_named() -> None:
    with pytest.raises(ModelError) as caught:
        parse_model("acyclic fencerel(MFENCE)", architecture="aarch64")
    assert "unknown name 'MFENCE'" in str(caught.value)
    assert caught.value.hint == "it is a set of x86, and means nothing on AArch64"
    with pytest.raises(ModelError, match="unknown name 'ACQ'"):
        parse_model("acyclic [ACQ]; po", architecture="ppc")


def test_a_file_of_no_architecture_reads_as_the_history_does(tmp_path: Path) -> None:
    path = tmp_path / "plain.cat"
    path.write_text('"plain"\nacyclic po & (M * A) | po & (A * M) | rf | fr | co as x')
    assert porf.check(porf.loads(LOCKED), path).inconsistent
    assert porf.check(porf.loads("T0 r x 0 A\nT0 r y 0 Q\nT0 w x 1"), path).consistent
    with pytest.raises(ModelError, match="may be of x86 and ARMv7 and AArch64"):
        porf.check(porf.loads("T0 r x 0 A\nT0 r y 0"), path)


def test_a_try_that_falls_back_says_so(tmp_path: Path) -> None:
    path = tmp_path / "tries.cat"
    path.write_text('"tries"\nlet f = try fencerel(NOSUCH) with 0\nacyclic f | po | rf | fr | co as sc')
    verdict = porf.check(porf.loads(SB), path)
    assert verdict.inconsistent
    assert "no NOSUCH: `try` takes what is written after `with`" in str(verdict.note)
    assert load_model_file(LIBRARY / "fences.cat", "riscv").note is None


@pytest.mark.parametrize(
    ("text", "violated"),
    [
        ("procedure both(a, b) =\n let c = a | b\n acyclic c\nend\ncall both(po, rf | fr | co) as two", True),
        ("procedure both(a, b) =\n acyclic a\n acyclic b\nend\ncall both(po, rf)", False),
        ("with co from generate(co0)\nacyclic po | rf | fr | co", True),
        ('if "some-variant" acyclic po | rf | fr | co else acyclic po end', False),
        ('if not "some-variant" || "x" && "y" acyclic po | rf | fr | co end', True),
        ('let r = if "some-variant" then po | rf | fr | co else po\nacyclic r', False),
        ("acyclic toid(W); po | rf | fr | co as x", True),
        ("empty singlestep(po) & nodetour(po, rf, rf) & 0", False),
        ("acyclic po | ctrlcfence(F) | rf", False),
        ("empty imply(emptyset, R) & IW", True),
        ("empty domain(co0) & IW", True),
        ("let FWs = FW\nempty FWs & IW", False),
    ],
)
def test_statements_and_functions(text: str, violated: bool, tmp_path: Path) -> None:
    path = tmp_path / "m.cat"
    path.write_text(text)
    assert porf.check(porf.loads(SB), path).inconsistent == violated


def test_a_called_procedure_names_its_tests_and_keeps_its_names_to_itself() -> None:
    model = parse_model("procedure p(a) =\n let inner = a\n acyclic inner\nend\ncall p(po) as named")
    assert [axiom.name for axiom in model.axioms] == ["named"]
    assert "inner" not in model.relations


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("with r from x", "a choice of 'r' is not supported", "only the modification order"),
        ("call nobody(po)", "there is no procedure 'nobody'", "define it"),
        ("procedure total(a) = acyclic a end\ncall toal(po)", "there is no procedure 'toal'", "did you mean 'total'"),
        ("procedure p(a) = acyclic a end\ncall p(po, rf)", "'p' takes 1, not 2 arguments", "parameters are a"),
        ("procedure p(a) = call p(a) end\ncall p(po)", "call one another without end", "recursion"),
        ("forall x in W do acyclic po end", "`forall` is not supported", "each"),
        ("enum Accesses = 'once || 'twice", "no events with the tag 'once", "programs cannot have"),
        ("let f = match R with {} -> 0 end", "'match' is not supported", ""),
        ("let f = a ++ W", "adding an element", ""),
        ("let f = fun x -> x", "", ""),
        ("acyclic nodetour(po, rf)", "'nodetour' takes 3 arguments, not 2", "relation"),
    ],
)
def test_what_is_refused_is_named(text: str, message: str, hint: str) -> None:
    with pytest.raises(ModelError) as caught:
        parse_model(text)
    assert message in str(caught.value) and hint in str(caught.value.hint)
    assert caught.value.line is not None


def test_bell_files_declare_what_the_kernel_has() -> None:
    text = "enum Accesses = 'once || 'acquire\ninstructions R[Accesses]\ninstructions F[{'mb,'rmb}]\nempty Once & Mb"
    assert parse_model(text, architecture="lkmm").axioms
    with pytest.raises(ModelError, match="the Linux kernel has no events with the tag 'frobnicate"):
        parse_model("enum Barriers = 'frobnicate", architecture="lkmm")


@pytest.mark.parametrize("name", [path.name for path in sorted(LIBRARY.glob("*.cat"))])
@pytest.mark.parametrize("architecture", [None, "x86", "arm", "aarch64", "ppc", "riscv"])
def test_library_files_can_be_included_everywhere(name: str, architecture: str | None) -> None:
    if name not in ("lock.cat", "aarch64deps.cat"):  # for the kernel; together with other files
        parse_model(f'include "{name}"\nacyclic po', architecture=architecture)


def test_files_for_c_may_mention_what_no_event_here_is() -> None:
    """In the manner of C11 as Batty, Donaldson and Wickerson (POPL 2016) have it for herd."""
    text = """C "C++11"
include "c11_cos.cat"
include "c11_los.cat"
let sb = po
let mo = co
let cacq = ACQ | (SC & (R | F)) | ACQ_REL | (F & CON)
let crel = REL | (SC & (W | F)) | ACQ_REL
let rs-prime = int | (_ * (R & W))
let rs = mo & rs-prime \\ ((mo \\ rs-prime) ; mo)
let sw = ext & (toid(crel) ; toid(A & W) ; rs? ; rf ; toid(R & A) ; toid(cacq)) | ext & (toid(UL) ; lo ; toid(LK))
let hb = (sb | sw)+
irreflexive (rf^-1)? ; mo ; rf? ; hb as Coh
irreflexive lo ; hb as Lo
undefined_unless empty ext & (((W * _) | (_ * W)) & loc \\ hb \\ hb^-1 \\ (A * A)) as Dr
"""
    model = parse_model(text)
    assert [axiom.role for axiom in model.axioms] == ["axiom", "axiom", "undefined"]
    with pytest.raises(ModelError, match="unknown name 'CON'"):
        parse_model("empty CON", architecture="x86")


SWAPS = """X86_64 swaps
{ }
 P0             | P1             ;
 movl $2,(x)    | movl $2,(y)    ;
 mfence         | mfence         ;
 movl $1,%eax   | movl $1,%eax   ;
 xchgl (y),%eax | xchgl (x),%eax ;
exists ([x]=2 /\\ 1:rax=2)
"""


@pytest.mark.parametrize(("heading", "observed"), [('"X86 SC"', "Never"), ("X86 SC", "Never"), ("SC", "Sometimes")])
def test_only_files_of_no_machine_in_particular_order_instructions_alone(
    heading: str, observed: str, tmp_path: Path
) -> None:
    file = tmp_path / "sc.cat"
    file.write_text(f"{heading}\nacyclic po | rf | fr | co as sc\nempty rmw & (fre;coe) as atom\n")
    found = porf.explore(read_litmus(SWAPS), str(file))
    assert found.observation is not None and found.observation.observation == observed
    file.write_text(f"{heading}\nacyclic po | amo | rf | fr | co as sc\nempty rmw & (fre;coe) as atom\n")
    found = porf.explore(read_litmus(SWAPS), str(file))
    assert found.observation is not None and found.observation.observation == "Never"


KERNEL = """// SPDX-License-Identifier: none
(* With comments of both kinds before its title, and neither a bell file nor lock.cat. *)

"Linux-kernel memory consistency model"
include "cos.cat"
let wmb = [W]; fencerel(Wmb); [W]
let rmb = [R \\ Noreturn]; fencerel(Rmb); [R]
let acquire = [Acquire]; po
let release = po; [Release]
let com = rf | co | fr
acyclic po-loc | com as coherence
empty rmw & (fre; coe) as atomic
acyclic wmb | rmb | acquire | release | rfe | fre as happens-before
irreflexive po; crit^-1; po?; com; po; [Sync-rcu]; po; com as rcu
irreflexive srcu-rscs; rcu-rscs as sections
"""


def kernel_test(first: str, second: str) -> str:
    shared = "int *x, int *y, spinlock_t *l"
    return f"C t\n{{ }}\nP0 ({shared}) {{ {first} }}\nP1 ({shared}) {{ {second} }}\nexists (1:r0=1 /\\ 1:r1=0)\n"


@pytest.mark.parametrize(
    ("first", "second", "observed"),
    [
        ("WRITE_ONCE(*x, 1); smp_wmb(); WRITE_ONCE(*y, 1);", "smp_rmb();", "Never"),
        ("WRITE_ONCE(*x, 1); smp_rmb(); WRITE_ONCE(*y, 1);", "smp_rmb();", "Sometimes"),
        ("WRITE_ONCE(*x, 1); synchronize_rcu(); WRITE_ONCE(*y, 1);", "rcu_read_unlock();", "Never"),
    ],
)
def test_the_kernel_s_file_is_known_by_its_title(first: str, second: str, observed: str, tmp_path: Path) -> None:
    file = tmp_path / "linux-kernel.cat"
    file.write_text(KERNEL)
    lock = "rcu_read_lock(); " if "rcu" in second else ""
    reads = (
        f"{lock}int r0 = READ_ONCE(*y); {second if not lock else ''} int r1 = READ_ONCE(*x); {second if lock else ''}"
    )
    found = porf.explore(read_litmus(kernel_test(first, reads)), str(file))
    assert found.observation is not None and found.observation.observation == observed


def test_locks_acquire_and_release_without_lock_cat(tmp_path: Path) -> None:
    file = tmp_path / "linux-kernel.cat"
    file.write_text(KERNEL)
    writes = "spin_lock(l); WRITE_ONCE(*x, 1); WRITE_ONCE(*y, 1); spin_unlock(l);"
    reads = "spin_lock(l); int r0 = READ_ONCE(*y); int r1 = READ_ONCE(*x); spin_unlock(l);"
    found = porf.explore(read_litmus(kernel_test(writes, reads)), str(file))
    assert found.observation is not None and found.observation.observation == "Never"
