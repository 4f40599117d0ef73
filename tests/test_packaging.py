"""What is published: the source distribution holds what a build needs and nothing else, and it installs and works."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
from pathlib import Path

import pytest

import porf

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TOP = {"CHANGELOG.md", "CMakeLists.txt", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml"}


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    code = "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, str(folder)], cwd=ROOT, check=True, capture_output=True, timeout=60)
    (made,) = folder.iterdir()
    return made


def test_the_source_distribution_has_what_a_build_needs_and_nothing_else(sdist: Path) -> None:
    assert sdist.name == f"porf-{PROJECT['project']['version']}.tar.gz"
    with tarfile.open(sdist) as archive:
        names = {member.name.split("/", 1)[1] for member in archive.getmembers() if member.isfile()}
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "src", "core"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert names == TOP | {name for name in listed.stdout.splitlines() if (ROOT / name).exists()}
    assert {"src/porf/py.typed", "src/porf/models/ra.cat", "src/porf/programs/c/runtime.c"} <= names


@pytest.mark.full
def test_the_source_distribution_installs_and_works(sdist: Path, tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    subprocess.run([*pip, "--target", str(tmp_path), str(sdist)], check=True, env={**os.environ, "PATH": path})
    # Without site (-S), for there an editable install comes before everything else.
    code = (
        f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {sysconfig.get_path('purelib')!r}]; import porf\n"
        "print(porf.__file__, porf.check(porf.loads('T0 w x 1'), 'sc', verify=True).answer)"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(tmp_path / "porf" / "__init__.py"), "consistent"]
    for name in (
        "py.typed",
        "_core.pyi",
        "models/ra.cat",
        "programs/c/runtime.c",
        "programs/c/include/genmc.h",
        "include/porf.h",
    ):
        assert (tmp_path / "porf" / name).exists(), name


def test_the_version_has_one_home_and_a_place_in_the_changelog() -> None:
    version = PROJECT["project"]["version"]
    assert porf.__version__ == version, "install again: make"
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\S+)", changes, re.MULTILINE)[0] == version
    for path in (ROOT / "src").rglob("*.py"):
        assert version not in path.read_text(encoding="utf-8"), path


def test_the_extras_that_messages_name_exist() -> None:
    named = {
        extra
        for path in [*(ROOT / "src").rglob("*.py"), *ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
        for extra in re.findall(r"porf\[(\w+)\]", path.read_text(encoding="utf-8"))
    }
    assert {"c", "datalog", "networkx", "pandas"} & named
    assert named <= set(PROJECT["project"]["optional-dependencies"])
