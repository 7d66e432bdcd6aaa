#!/usr/bin/env python3
"""Follows docs/deployment.md to the letter: runs its blocks on three machines, a server and two hospitals, and looks at what came of it.

Usage: scripts/check_deployment.py [--keep]

The machines are namespaces: each has a network interface of its own on a common bridge, a host name, and its own /etc, /opt, /var, /root and
/run. A block that opens with "```sh server" or "```sh hospital-1 hospital-2" runs on these machines, as root; one with the word `fails` behind
them must fail. The commands systemctl, journalctl and scp are small ones of this script, because no machine has an init or an ssh server.
/opt/paretofl is the virtual environment PARETOFL_FLOWER, or build/flower, which `make flower` makes.

Afterwards: the parameters are those of `paretofl run`, no client failed, no machine has a file of another party, only the server listens, and
only on its one port; what the server sends to a SuperNode can't read the party's data. Needs root, namespaces and nginx. Where these can't be
had, it says so and passes, or fails if PARETOFL_REQUIRE_NAMESPACES=1. --keep starts a shell before everything is taken down; `on server
COMMAND` runs a command on a machine there. All ends with this process, however it ends.
"""

import argparse
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/deployment.md"
FLOWER = Path(os.environ.get("PARETOFL_FLOWER", ROOT / "build/flower"))
MACHINES = {"server": "10.77.0.1", "hospital-1": "10.77.0.11", "hospital-2": "10.77.0.12"}
NAMES = {"server": "federation.example.org"}
OWN_FOLDERS = ("etc", "opt", "var", "root")
LIMIT = 150  # seconds for a block


class Fault(Exception):
    """What is not as it should be."""


class Machine:
    """Namespaces of their own, held by a process that sleeps."""

    def __init__(self, name, scratch):
        self.name, self.upper, self.tools = name, scratch / name, scratch / "tools"
        self.holder = subprocess.Popen(["unshare", "--mount", "--net", "--uts", "sleep", "infinity"])
        while os.readlink(f"/proc/{self.holder.pid}/ns/net") == os.readlink("/proc/self/ns/net"):
            time.sleep(0.01)
        (scratch / "machines").mkdir(exist_ok=True)
        (scratch / "machines" / name).write_text(str(self.holder.pid))
        run(["ip", "link", "add", f"port-{name}", "type", "veth", "peer", "name", "eth0", "netns", str(self.holder.pid)])
        run(["ip", "link", "set", f"port-{name}", "master", "switch", "up"])
        lines = [f"hostname {name}", "ip link set lo up", f"ip address add {MACHINES[name]}/24 dev eth0", "ip link set eth0 up"]
        for folder in OWN_FOLDERS:
            over, work = self.upper / folder, self.upper / f"work-{folder}"
            lines += [f"mkdir -p {over} {work}", f"mount -t overlay overlay -o lowerdir=/{folder},upperdir={over},workdir={work} /{folder}"]
        lines += [f"mkdir -p {self.upper}/run /opt/paretofl", f"mount --bind {self.upper}/run /run", f"mount --bind {FLOWER} /opt/paretofl"]
        hosts = "".join(f"{address} {other} {NAMES.get(other, '')}\n" for other, address in MACHINES.items())
        lines += [f"printf '127.0.0.1 localhost\\n{hosts}' > /etc/hosts".replace("\n", "\\n")]
        self.shell("\n".join(lines))

    def command(self, script):
        path = f"{self.tools}:/opt/paretofl/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        return ["nsenter", "--target", str(self.holder.pid), "--mount", "--net", "--uts", "--wd=/root", "env", "-i", "HOME=/root", f"PATH={path}",
                "TERM=dumb", "LANG=C.UTF-8", "bash", "-euo", "pipefail", "-c", script]

    def shell(self, script, limit=LIMIT, fails=False):
        """The output of a script that must succeed, or fail, within the limit."""
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(self.command(script), stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True)
            try:
                code = process.wait(limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                code = None
            output.seek(0)
            text = output.read().decode(errors="replace")
        if code is None or (code != 0) != fails:
            ended = f"no end within {limit} s" if code is None else f"exit code {code}"
            wanted = "a failure" if fails else "success"
            raise Fault(f"{self.name}: expected {wanted}, found {ended}\n{script.rstrip()}\n--\n{text}{logs(self.upper.parent)}")
        return text

    def files(self):
        """What was written on this machine."""
        return [path for folder in (*OWN_FOLDERS, "run") for path in (self.upper / folder).rglob("*") if path.is_file() and not path.is_symlink()]


def logs(scratch):
    """The last lines of every unit's log."""
    return "".join(f"-- {log.parts[-3]}: {log.stem}\n{''.join(log.read_text(errors='replace').splitlines(True)[-15:])}"
                   for log in sorted(scratch.glob("*/run/*.log")))


def run(words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def blocks():
    """The page's blocks that name machines: line number, machines, whether it must fail, script."""
    inside = None
    for number, line in enumerate(PAGE.read_text().splitlines(True), 1):
        fence = re.match(r" *```(.*)", line)
        if fence and inside is None:
            words = fence[1].split()
            inside = (number, [word for word in words[1:] if word in MACHINES], "fails" in words, [])
            if words[:1] == ["sh"] and not set(words[1:]) <= {*MACHINES, "fails", "not-run"}:
                raise Fault(f"{PAGE.name}:{number}: expected names of machines, found {' '.join(words[1:])}")
        elif fence:
            if inside[1]:
                yield (*inside[:3], "".join(inside[3]))
            inside = None
        elif inside:
            inside[3].append(line)


def settings_of(unit):
    """The settings of a systemd unit, each with its values in order."""
    name, instance = re.fullmatch(r"([^@]+@?)([^@]*?)(?:\.service)?", unit).groups()
    file = next((path for path in (Path(f"/etc/systemd/system/{name}.service"), Path(f"/lib/systemd/system/{name}.service")) if path.exists()), None)
    if file is None:
        sys.exit(f"systemctl: no unit {unit}")
    settings = {}
    for line in file.read_text().replace("\\\n", " ").splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            settings.setdefault(key.strip(), []).append(value.strip().replace("%i", instance))
    return settings


def sandboxed(unit, words):
    """A command as systemd runs it with the settings that the page's units use, and its environment."""
    settings = settings_of(unit)
    user = settings.get("User", ["root"])[-1]
    if user != "root":
        namespace = ["unshare", "--user", "--map-current-user"] if settings.get("PrivateUsers") == ["yes"] else []
        words = ["setpriv", "--reuid", user, "--regid", user, "--init-groups", *namespace, *words]
    hidden = " ".join(settings.get("InaccessiblePaths", [])).split()
    if hidden:
        mounts = "; ".join(f"mount -t tmpfs -o mode=000,ro none {shlex.quote(path)}" for path in hidden)
        words = ["unshare", "--mount", "bash", "-ec", f'{mounts}; exec "$@"', "bash", *words]
    own = dict(pair.split("=", 1) for line in settings.get("Environment", []) for pair in shlex.split(line))
    return words, {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/", "LANG": "C.UTF-8", **own}


def start(unit):
    settings = settings_of(unit)
    user = settings.get("User", ["root"])[-1]
    for kind, parent, mode in (("Runtime", "/run", "RuntimeDirectoryMode"), ("State", "/var/lib", "StateDirectoryMode")):
        for folder in settings.get(f"{kind}Directory", []):
            run(["install", "-d", "-o", user, "-g", user, "-m", settings.get(mode, ["0755"])[-1], f"{parent}/{folder}"])
    words, environment = sandboxed(unit, shlex.split(settings["ExecStart"][-1]))
    with open(f"/run/{unit}.log", "ab") as log:
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, cwd="/", env=environment)
    Path(f"/run/{unit}.pid").write_text(str(process.pid))


def alive(pid):
    """Whether the process runs: nobody waits for those that have ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def stop(unit, number=signal.SIGTERM):
    file = Path(f"/run/{unit}.pid")
    if not file.exists():
        return
    pid = int(file.read_text())
    file.unlink()
    for kind in (number, signal.SIGKILL):
        try:
            os.killpg(pid, kind)
        except ProcessLookupError:
            return
        end = time.monotonic() + 10
        while time.monotonic() < end and alive(pid):
            time.sleep(0.05)


def systemctl(words):
    """The subcommands that the page uses, and `as UNIT COMMAND`, which runs a command in a unit's sandbox."""
    if words[0] == "as":
        command, environment = sandboxed(words[1], words[2:])
        os.execvpe(command[0], command, environment)
    units = [word for word in words[1:] if not word.startswith("-")]
    for unit in units:
        if words[0] in ("restart", "stop"):
            stop(unit)
        if words[0] in ("restart", "start", "enable"):
            start(unit)
        if words[0] == "is-active":
            pid = Path(f"/run/{unit}.pid")
            if not pid.exists() or not alive(int(pid.read_text())):
                sys.exit(f"{unit} is not active")


def scp(scratch, words):
    """Copies a file of this machine, with its mode, to MACHINE:PATH."""
    machine, path = words[-1].split(":")
    machine = {name: own for own, name in NAMES.items()}.get(machine, machine)
    holder = (scratch / "machines" / machine).read_text()
    mode = oct(Path(words[-2]).stat().st_mode & 0o777)[2:]
    subprocess.run(["nsenter", "--target", holder, "--mount", "install", "-m", mode, "/dev/stdin", path], input=Path(words[-2]).read_bytes(), check=True)


def tool(folder, name, script):
    (folder / name).write_text(script)
    (folder / name).chmod(0o755)


def follow(scratch):
    """Follows the page and yields the machines."""
    tools = scratch / "tools"
    tools.mkdir()
    scratch.chmod(0o755)
    for name in ("systemctl", "scp"):
        tool(tools, name, f'#!/bin/sh\nexec /usr/bin/python3 -B {shlex.quote(str(Path(__file__).resolve()))} {name} {scratch} "$@"\n')
    tool(tools, "journalctl", '#!/bin/sh\ntail -n 5 "/run/$2.log"\n')
    tool(tools, "on", f'#!/bin/sh\npid=$(cat {scratch}/machines/$1) && shift && HOME=/root PATH={tools}:/opt/paretofl/bin:$PATH '
                      'exec nsenter --target "$pid" --mount --net --uts --wd=/root "$@"\n')
    run(["ip", "link", "set", "lo", "up"])
    run(["ip", "link", "add", "switch", "type", "bridge"])
    run(["ip", "link", "set", "switch", "up"])
    machines = {name: Machine(name, scratch) for name in MACHINES}
    umask = dict.fromkeys(MACHINES, "022")  # as in one shell that stays open
    for number, names, fails, script in blocks():
        for name in names:
            begin = time.monotonic()
            output = machines[name].shell(f"umask {umask[name]}\ntrap 'umask >/run/umask' EXIT\n{script}", fails=fails)
            umask[name] = (machines[name].upper / "run/umask").read_text().strip()
            print(f"{PAGE.name}:{number} on {name}: {'refused' if fails else 'done'} in {time.monotonic() - begin:.1f} s", flush=True)
            if os.environ.get("VERBOSE"):
                print(output)
    return machines


def check(machines, scratch):
    """Looks at what the page led to."""
    server = machines["server"]
    folder = server.upper / "var/lib/paretofl/run"
    ended = json.loads((folder / "federation/flower.json").read_text())
    if ended["error"]:
        raise Fault(f"expected a run without an error, found: {ended['error']}")
    run([FLOWER / "bin/paretofl", "run", str(server.upper / "etc/paretofl/config.toml"), "--dir", str(scratch / "simulation")])
    digests = [json.loads((path / "summary.json").read_text())["parameters_sha256"] for path in (folder, scratch / "simulation")]
    if digests[0] != digests[1]:
        raise Fault(f"expected the parameters of `paretofl run`, {digests[1]}, found {digests[0]}")
    rows = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    if not rows or any(row["failures"] for row in rows):
        raise Fault(f"expected no failures, found {[row['failures'] for row in rows]}")
    print(f"parameters as `paretofl run` has them: {digests[0]}")

    owners = {"server": ("server", "server"), "hospital-1": ("client-0", "state-0"), "hospital-2": ("client-1", "state-1")}
    theirs = {name: {digest(path): path for folder in folders for path in (machines[name].upper / "var/lib/paretofl" / folder).rglob("*")
                     if path.is_file() and path.stat().st_size > 0 and path.name != "problem.json"} for name, folders in owners.items()}
    for name, machine in machines.items():
        if not theirs[name]:
            raise Fault(f"{name}: expected data, found none")
        there = {digest(path): path for path in machine.files()}
        for other in machines.keys() - {name}:
            found = [there[one] for one in theirs[other].keys() & there.keys() - theirs[name].keys()]
            found += [path for path in there.values() if set(owners[other]) & set(path.relative_to(machine.upper).parts)]
            if found:
                raise Fault(f"{name}: expected no file of {other}, found {', '.join(map(str, found))}")
        listening = {line.split()[3] for line in machine.shell("ss -Hltn").splitlines()}
        outside = {address for address in listening if not address.startswith(("127.", "[::1]"))}
        if outside != ({"0.0.0.0:443"} if name == "server" else set()):
            raise Fault(f"{name}: expected no port for the outside but the server's 443, found {sorted(outside)}")
    print("no machine has a file of another party, and only the server's port 443 is open")

    hospital = machines["hospital-1"]
    host = (hospital.upper / "run/paretofl-host@0.pid").read_text()
    data = "/var/lib/paretofl/client-0/part.json"
    hospital.shell(f"systemctl as paretofl-host@0 cat {data}")
    for path in (data, f"/proc/{host}/root{data}", f"/proc/{host}/mem"):
        if "Permission denied" not in hospital.shell(f"systemctl as flower-supernode cat {path}", fails=True):
            raise Fault(f"hospital-1: expected that a SuperNode may not read {path}")
    print("a SuperNode can't read its party's data")


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def inside(scratch, keep):
    run(["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", str(scratch)])
    machines = {}
    try:
        machines = follow(scratch)
        check(machines, scratch)
    except (Fault, OSError, subprocess.CalledProcessError) as fault:
        print(f"check_deployment: {fault}", file=sys.stderr)
        return 1
    finally:
        if keep:
            subprocess.run(["bash"], env={**os.environ, "PATH": f"{scratch}/tools:{os.environ['PATH']}", "SCRATCH": str(scratch)}, check=False)
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--keep", action="store_true", help="start a shell before everything is taken down")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        return inside(arguments.inside, arguments.keep)
    namespaces = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    programs = ("ip", "nsenter", "setpriv", "nginx", "openssl", "ssh-keygen", "ss", "curl")
    missing = [name for name in programs if not shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin")]
    tried = subprocess.run([*namespaces, "true"], capture_output=True, text=True, check=False)
    if missing or os.geteuid() != 0 or tried.returncode != 0:
        why = f"no {', '.join(missing)}" if missing else "not root" if os.geteuid() else tried.stderr.strip()
        print(f"check_deployment: SKIPPED, NOTHING WAS CHECKED: expected root, namespaces and the packages of `scripts/setup.sh deployment`, found: {why}",
              file=sys.stderr)
        return int(os.environ.get("PARETOFL_REQUIRE_NAMESPACES") == "1")
    if not (FLOWER / "bin/flower-superlink").exists():
        print(f"check_deployment: expected Flower and the package in {FLOWER}, found none; `make flower` installs them", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="pf-") as folder:
        return subprocess.run(["setpriv", "--pdeathsig", "KILL", *namespaces, sys.executable, "-B", __file__, "--inside", folder,
                               *(["--keep"] if arguments.keep else [])], check=False).returncode


if __name__ == "__main__":
    if sys.argv[1:2] == ["systemctl"]:
        sys.exit(systemctl(sys.argv[3:]))
    if sys.argv[1:2] == ["scp"]:
        sys.exit(scp(Path(sys.argv[2]), sys.argv[3:]))
    sys.exit(main())
