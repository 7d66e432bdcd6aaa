#!/usr/bin/env python3
"""Kills the command at random system calls, lets system calls fail, and damages files, all from a seed.

Usage: scripts/check_faults.py [--seed N] [--kills N] [--stops N] [--errors N] [--full N] [--damages N] [--jobs N]
       scripts/check_faults.py --seed N --only KIND:I    one fault again, with all that it printed; its folder is kept

kills    `strace` kills the command at a system call; it goes on, or begins again, and ends with the result it has undisturbed
stops    the same with SIGTERM, SIGINT or SIGHUP
errors   a system call fails; the command ends with that result, or with one clear line and a code that is not 0, after which it
         can go on like a killed one
full     no file may grow beyond a size
damages  a file's bits are flipped, or it is cut, swapped, full of huge numbers or deep nesting, a pipe, ...; where the result is known,
         the command ends with it or refuses the file; elsewhere it may differ

It is a fault of the command's if a signal ends it that nobody sent, if it takes longer than --limit seconds, if it fails without a
clear line ("paretofl: .. expected .., found ..") or if its result is silently another. Prints figures by kind and scene
(scripts/fault_scenes.py), and exits with 1 if there was a fault. PARETOFL names the command (default build/paretofl).
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from fault_scenes import ROOT, make_scenes

KINDS = ("kills", "stops", "errors", "full", "damages")
SIGNALS = {"KILL": 9, "TERM": 15, "INT": 2, "HUP": 1}
ERRORS = ("ENOSPC", "EIO", "EINTR", "ENOMEM", "EACCES", "EMFILE")
CALLS = "%file,%desc,%process"
MEMORY = 16 << 30  # bytes of addresses, more than any scene needs
CLEAR = re.compile(r"^paretofl: .*(expected|can't be locked|failed: ended by signal (1|2|9|15) |The following argument|stopped after|--help tells)")


class Ended:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def last_line(self):
        lines = [line for line in self.err.splitlines() if line.strip()]
        return lines[-1] if lines else ""

    def fault(self):
        """What is wrong about an end with a code other than 0, or None."""
        if self.code == "limit":
            return "hang"
        if self.code < 0 or (self.code >= 128 and self.code not in (129, 130, 143)):
            return f"signal (code {self.code})"
        if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", self.err):
            return "control characters in a message"
        if len(self.err) > 10000:
            return "a very long message"
        return None if CLEAR.match(self.last_line()) else "no clear message"


def strace(log, expression):
    return ["strace", "-f", "-qq", "-o", str(log), "-e", "trace=" + CALLS, "-e", expression]


def calls_in(log):
    """The system calls of the busiest thread as (name, how many-th of that name), as strace counts; and from where on it works on files of
    the scene's."""
    threads = collections.defaultdict(list)
    for line in log.splitlines():
        thread, call = line.split(maxsplit=1)
        threads[thread].append(call)
    main = max(threads.values(), key=len)
    seen, calls, begins = collections.Counter(), [], None
    for call in main:
        name = re.match(r"\w*", call).group()
        if not name or "resumed>" in call:  # strace counts the beginnings
            continue
        seen[name] += 1
        if begins is None and name != "execve" and re.search(r'"(r|s|lm|data|verses\.txt)[/"]|\.toml"', call):
            begins = len(calls)
        calls.append((name, seen[name]))
    return begins or 0, calls


class Check:
    def __init__(self, arguments, base):
        self.arguments = arguments
        self.base = base
        self.paretofl = str(Path(os.environ.get("PARETOFL", ROOT / "build/paretofl")).resolve())
        self.scenes = make_scenes(self.paretofl, base)
        self.calls = {}

    def run(self, command, folder, stdin=b"", before=(), file_size=None):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if file_size is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))

        process = subprocess.Popen([*before, self.paretofl, *command], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, preexec_fn=limit, start_new_session=True)
        try:
            out, err = process.communicate(stdin, timeout=self.arguments.limit)
            code = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            code = "limit"
        return Ended(code, out.decode(errors="backslashreplace"), err.decode(errors="backslashreplace"))

    def prepare(self, scene):
        """Runs a scene undisturbed, and counts its system calls."""
        folder = self.base / "undisturbed" / scene.name
        shutil.copytree(self.base / scene.name, folder)
        log = folder.parent / (scene.name + ".log")
        before = strace(log, "signal=none") if scene.retries else []
        ended = self.run(scene.command, folder, scene.stdin, before)
        if ended.code != 0:
            sys.exit(f"check_faults: expected {scene.name} to end well without a fault, found code {ended.code}: {ended.err}")
        scene.expected = scene.result(folder, ended.out)
        if before:
            self.calls[scene.name] = calls_in(log.read_text(errors="replace"))

    def fault(self, kind, index, keep=None):
        """Returns (scene, what was done, verdict, whether that is a fault)."""
        draw = random.Random(f"{self.arguments.seed}/{kind}/{index}")
        wanted = [scene for scene in self.scenes if (scene.damaged if kind == "damages" else scene.retries)]
        scene = draw.choice(wanted)
        folder = Path(tempfile.mkdtemp(prefix=f"{kind}-{index}-", dir=self.base)) / "x"
        shutil.copytree(self.base / scene.name, folder)
        try:
            if kind == "damages":
                done, verdict, bad = self.damage(scene, folder, draw, keep)
            else:
                done, verdict, bad = self.disturb(kind, scene, folder, draw, keep)
        finally:
            if keep is None:
                shutil.rmtree(folder.parent, ignore_errors=True)
            else:
                print(f"its folder: {folder}")
        return scene.name, done, verdict, bad

    def show(self, keep, command, ended):
        if keep is not None:
            print(f"$ paretofl {' '.join(command)}\ncode {ended.code}\n{ended.out}{ended.err}")

    def result(self, scene, folder, out):
        try:
            return scene.result(folder, out)
        except (OSError, ValueError) as error:
            return f"no result: {error}"

    def disturb(self, kind, scene, folder, draw, keep):
        begins, calls = self.calls[scene.name]
        if kind == "errors":  # a real close that fails has closed, one that strace lets fail has not; and before main no message is ours
            call, at = draw.choice([call for call in calls[begins:] if call[0] != "close"])
        else:
            call, at = draw.choice(calls if draw.random() < 0.1 else calls[begins:])
        size = None
        if kind == "full":
            size = int(2 ** draw.uniform(0, 18))
            done, before, sent = f"files of at most {size} bytes", [], None
        else:
            sent = {"kills": "KILL", "stops": draw.choice(("TERM", "INT", "HUP")), "errors": None}[kind]
            what = f"signal={sent}" if sent else f"error={draw.choice(ERRORS)}"
            done = f"{call}:{what}:when={at}"
            before = strace(folder.parent / "log", f"inject={done}")
        ended = self.run(scene.command, folder, scene.stdin, before, size)
        self.show(keep, [*scene.command, f"# {done}"], ended)
        if ended.code == 0:
            same = self.result(scene, folder, ended.out) == scene.expected
            return done, "unharmed" if same else "silently another result", not same
        number = SIGNALS.get(sent)
        if number is None or ended.code not in (-number, 128 + number):
            fault = ended.fault()
            if fault == "no clear message" and sent is None and "INJECTED" in self.injected(folder, "write(2,"):
                fault = None  # the message itself was what could not be written
            if fault:
                return done, f"{fault}: {ended.last_line()}", True
        if kind == "kills" and draw.random() < 0.5:
            call, at = draw.choice(calls[begins:])
            again = f"{call}:{what}:when={at}"
            done += f", then {again}"
            ended = self.run(scene.retries[0], folder, b"", strace("/dev/null", f"inject={again}"))
            self.show(keep, [*scene.retries[0], f"# {again}"], ended)
        return done, *self.go_on(scene, folder, keep)

    def injected(self, folder, call):
        log = folder.parent / "log"
        lines = log.read_text(errors="replace").splitlines() if log.exists() else []
        return "\n".join(line for line in lines if "INJECTED" in line and call in line)

    def go_on(self, scene, folder, keep):
        """What comes of a scene that did not end."""
        for command in scene.retries:
            ended = self.run(command, folder)
            self.show(keep, command, ended)
            if ended.code == 0:
                found = self.result(scene, folder, ended.out)
                if found == scene.expected:
                    return "went on to the same result", False
                if found != scene.earlier:
                    return "silently another result after going on", True
            elif ended.fault():
                return f"going on: {ended.fault()}: {ended.last_line()}", True
        return f"cannot go on: {ended.last_line()}", True

    def damage(self, scene, folder, draw, keep):
        done, known = "", True
        for _ in range(draw.choice((1, 1, 1, 2, 3))):
            pattern, all_known = draw.choice(scene.damaged)
            files = sorted(path for path in folder.glob(pattern) if path.is_file() and not path.is_symlink())
            if files:
                path = draw.choice(files)
                done += f"{', ' if done else ''}{path.relative_to(folder)}: {damage_file(path, draw)}"
                known = known and all_known
        ended = self.run(scene.command, folder, scene.stdin)
        self.show(keep, [*scene.command, f"# {done}"], ended)
        if ended.code != 0:
            fault = ended.fault()
            return done, f"{fault or 'refused'}: {ended.last_line()}", bool(fault)
        if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", ended.err + (ended.out if scene.name in ("report", "page") else "")):
            return done, "control characters in what was printed", True
        if scene.name == "page" and re.search(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]", (folder / "page.html").read_bytes()):
            return done, "control characters in the page", True
        if self.result(scene, folder, ended.out) == scene.expected:
            return done, "unharmed", False
        return done, "silently another result" if known else "another result", known


def damage_file(path, draw):
    """Damages a file and returns how."""
    content = path.read_bytes()
    at, to = sorted(draw.randint(0, len(content)) for _ in range(2))
    how = draw.choice(("bits", "bits", "cut", "loss", "copy", "swap", "number", "number", "nesting", "text", "noise", "empty", "kind", "line",
                       "line", "other"))
    if how == "bits" and content:
        changed = bytearray(content)
        for _ in range(draw.choice((1, 1, 2, 8))):
            changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
        content = bytes(changed)
    elif how == "cut":
        content = content[:at]
    elif how == "loss":
        content = content[:at] + content[to:]
    elif how == "copy":
        content = content[:to] + content[at:to] + content[to:]
    elif how == "swap":
        content = content[to:] + content[at:to] + content[:at]
    elif how == "number":
        numbers = list(re.finditer(rb"-?\d+(\.\d+)?([eE][-+]?\d+)?", content[:1 << 16])) or [re.match(b"", content)]
        number = draw.choice(numbers)
        new = draw.choice((b"1e999", b"-1e999", b"1e308", b"-1", b"0", b"99999999999999999999", b"9223372036854775807", b"4294967296",
                           b"nan", b"inf", b"1.5", b"null", b"true", b'"1"', b"[]", b"{}", b"0x10", b"00", b"1" * 100000))
        how = f"{number.group().decode()} at {number.start()} becomes {new[:20].decode()}"
        content = content[:number.start()] + new + content[number.end():]
    elif how == "nesting":
        new = draw.choice((b"[", b'{"a":', b"{a=", b"a.", b"[[", b"(", b'[{"a":')) * draw.choice((50, 5000, 100000))
        how += f" {new[:5].decode()} at {at}"
        content = draw.choice((content[:at] + new + content[at:], new, content[:at] + new))
    elif how == "text":
        new = draw.choice((b"\x1b]0;x\x07\x1b[2J", b"\xff\xfe", b"\xc2\x9b2J", b"\0", b"\xed\xa0\x80", b"\n", b'"', b"\\u0000", b"\\u001b[2J",
                           b"A" * 1000000, "\u202e".encode()))
        how += f" {new[:20]!r} at {at}"
        content = content[:at] + new + content[at:]
    elif how == "line":
        lines = content.splitlines(keepends=True) or [b""]
        which = draw.randrange(len(lines))
        how = draw.choice(("gone", "twice", "last"))
        lines[which:which + 1] = lines[which:which + 1] * {"gone": 0, "twice": 2, "last": 0}[how]
        content = b"".join(lines) + (content.splitlines(keepends=True)[which] if how == "last" and content else b"")
        how = f"line {which + 1} {how}"
    elif how == "other":
        others = sorted(other for other in path.parent.iterdir() if other.is_file() and not other.is_symlink() and other != path)
        if others:
            other = draw.choice(others)
            how = f"as {other.name}"
            content = other.read_bytes()
    elif how == "noise":
        content = draw.randbytes(draw.choice((1, 100, 10000)))
    elif how == "empty":
        content = b""
    elif how == "kind":
        path.unlink()
        how = draw.choice(("gone", "folder", "pipe", "loop", "device", "endless"))
        if how == "folder":
            path.mkdir()
        elif how == "pipe":
            os.mkfifo(path)
        elif how == "loop":
            path.symlink_to(path.name)
        elif how in ("device", "endless"):
            path.symlink_to("/dev/null" if how == "device" else "/dev/zero")
        return how
    path.write_bytes(content)
    return how


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    for kind, count in zip(KINDS, (20, 10, 20, 10, 80)):
        parser.add_argument(f"--{kind}", type=int, default=count, metavar="N", help=f"how many (default: {count})")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="faults at a time")
    parser.add_argument("--limit", type=int, default=60, metavar="S", help="seconds that a command may take (default: 60)")
    parser.add_argument("--all", action="store_true", help="print every fault and what came of it, not only those that are not borne")
    parser.add_argument("--only", metavar="KIND:I", help="one fault, such as damages:7")
    return parser.parse_args()


def repeat_one(check, only):
    kind, _, index = only.partition(":")
    if kind not in KINDS or not index.isdigit():
        sys.exit(f"check_faults: expected --only to be one of {', '.join(KINDS)} with a number, such as damages:7; found {only}")
    name, done, verdict, bad = check.fault(kind, int(index), keep=True)
    print(f"{only} {name}: {done}: {verdict}")
    return int(bad)


def main():
    arguments = parse_arguments()
    if shutil.which("strace") is None:
        sys.exit("check_faults: expected strace, found none; scripts/setup.sh faults installs it")
    base = Path(tempfile.mkdtemp(prefix="check_faults-"))
    try:
        check = Check(arguments, base)
        for scene in check.scenes:
            check.prepare(scene)
        if arguments.only:
            return repeat_one(check, arguments.only)
        table = collections.Counter()
        bad_ones = 0
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            faults = [(kind, index) for kind in KINDS for index in range(getattr(arguments, kind))]
            for (kind, index), (name, done, verdict, bad) in zip(faults, pool.map(lambda fault: check.fault(*fault), faults)):
                table[kind, name, "FAULT" if bad else verdict.partition(":")[0]] += 1
                if arguments.all and not bad:
                    print(f"{kind}:{index} {name}: {done}: {verdict}", flush=True)
                if bad:
                    bad_ones += 1
                    print(f"{kind}:{index} {name}: {done}: {verdict}\n"
                          f"  again: scripts/check_faults.py --seed {arguments.seed} --only {kind}:{index}", flush=True)
        for kind in KINDS:
            print(f"{kind}: {getattr(arguments, kind)}")
            for (its, name, verdict), count in sorted(table.items()):
                if its == kind:
                    print(f"  {count:5d}  {name:<14} {verdict}")
        print(f"seed {arguments.seed}: {len(faults)} faults, {bad_ones} not borne")
        return int(bad_ones > 0)
    finally:
        if not arguments.only:
            shutil.rmtree(base, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
