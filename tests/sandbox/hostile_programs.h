#pragma once

#include <string>
#include <vector>

namespace paretofl {

/// A program that tries to do what it must not. It prints ESCAPED where it can. @SECRET@ stands for a file that others may
/// read, @PORT@ for a port on which somebody listens, @PID@ for the process that runs the sandbox.
struct HostileProgram {
  std::string name;
  std::string text;
};

inline std::vector<HostileProgram> hostile_programs() {
  return {
      {"endless loop", "while True: pass"},
      {"sleep", "import time\ntime.sleep(3600)"},
      {"children", R"(
import os, time
children = 0
for _ in range(300):
    try:
        if os.fork() == 0: time.sleep(3600)
        children += 1
    except OSError: break
if children > 8: print("ESCAPED")
)"},
      {"daemon", R"(
import os, signal, time
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True: time.sleep(3600)
)"},
      {"memory", "hog = []\nwhile True: hog.append(bytearray(1 << 24))"},
      {"memory in a file without a name", R"(
import os
file = os.memfd_create("hog")
for _ in range(100): os.write(file, bytes(1 << 20))
print("ESCAPED")
)"},
      {"shared memory", R"(
import ctypes
if ctypes.CDLL(None).shmget(0, 1 << 30, 0o1777) >= 0: print("ESCAPED")
)"},
      {"semaphores, which are memory", R"(
import ctypes
if ctypes.CDLL(None).semget(0, 32000, 0o600) >= 0: print("ESCAPED")
)"},
      {"threads", R"(
import threading, time
started = 0
for _ in range(200):
    try: threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
    except RuntimeError: break
    started += 1
if started > 8: print("ESCAPED")
)"},
      {"connection", R"(
import socket
socket.create_connection(("127.0.0.1", @PORT@), 1).send(b"hello")
print("ESCAPED")
)"},
      {"datagram", R"(
import socket
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"hello", ("127.0.0.1", @PORT@))
)"},
      {"other socket families", R"(
import socket
for family in (socket.AF_NETLINK, socket.AF_PACKET, socket.AF_VSOCK):
    try:
        socket.socket(family, socket.SOCK_STREAM if family == socket.AF_VSOCK else socket.SOCK_RAW)
        print("ESCAPED")
    except OSError: pass
)"},
      {"deletion", R"(
import os, shutil
shutil.rmtree(os.path.dirname(os.__file__), ignore_errors=True)
for name in ("@SECRET@", os.__file__, "/usr", "/dev/null"):
    try:
        os.rename(name, name + ".gone")
        print("ESCAPED")
    except OSError: pass
)"},
      {"writes outside", R"(
for name in ("/escaped", "/usr/escaped", "/usr/local/escaped", "/dev/escaped", "/lib/escaped", "/var/tmp/escaped", "@SECRET@"):
    try:
        open(name, "w").write("escaped")
        print("ESCAPED")
    except OSError: pass
)"},
      {"a secret file", "print(open('@SECRET@').read())\nprint('ESCAPED')"},
      {"a secret file by a link", R"(
import os
os.symlink("@SECRET@", "link")
print(open("link").read())
print("ESCAPED")
)"},
      {"the system's files", R"(
import os
for name in ("/etc/passwd", "/etc/hostname", "/root", "/home", "/var", "/run", "/sys", "/proc/self/mem", "/proc/1/environ"):
    if os.path.exists(name): print("ESCAPED")
)"},
      {"giant output", "while True: print('x' * 10000)"},
      {"giant output of a child", R"(
import os
os.fork()
while True: os.write(2, b"x" * 10000)
)"},
      {"giant file", R"(
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
file, size = open("giant", "wb"), 0
try:
    while True: size += file.write(bytes(1 << 20))
except OSError: pass
if size > 64 << 20: print("ESCAPED")
)"},
      {"many files", R"(
import signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
size = 0
try:
    for index in range(100):
        with open(f"file{index}", "wb") as file: size += file.write(bytes(1 << 20))
except OSError: pass
if size > 64 << 20: print("ESCAPED")
)"},
      {"deaf to signals", R"(
import signal
for number in range(1, 65):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True: pass
)"},
      {"kills", R"(
import os, signal
for process in (@PID@, os.getppid(), 1, 0, -1):
    try: os.kill(process, signal.SIGKILL)
    except OSError: pass
)"},
      {"stops everything", R"(
import os, signal
for process in (1, -1, os.getpid()):
    try: os.kill(process, signal.SIGSTOP)
    except OSError: pass
)"},
      {"other programs", R"(
import os
os.execv("/usr/bin/setpriv", ["setpriv", "--reuid=0", "/usr/bin/cat", "@SECRET@"])
)"},
      {"a setuid program", R"(
import os
for name in ("su", "sudo", "mount", "newgrp"):
    if os.path.exists("/usr/bin/" + name): os.spawnv(os.P_WAIT, "/usr/bin/" + name, [name, "-c", "echo ESCAPED"])
)"},
      {"a sandbox of its own", R"(
import os
os.execv("/usr/bin/bwrap", ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "/usr/bin/echo", "ESCAPED"])
)"},
      {"limits", R"(
import resource
for limit in range(16):
    try:
        soft, hard = resource.getrlimit(limit)
        if hard == resource.RLIM_INFINITY: continue
        resource.setrlimit(limit, (hard + 1, hard + 1))
        print("ESCAPED")
    except (OSError, ValueError): pass
while True: pass
)"},
      {"tracing", R"(
import ctypes, os
libc = ctypes.CDLL(None)
for process in (1, os.getppid(), @PID@):
    if libc.ptrace(16, process, 0, 0) >= 0: print("ESCAPED")
    there = (ctypes.c_size_t * 2)(id(libc), 8)
    if libc.process_vm_readv(process, there, 1, there, 1, 0) > 0: print("ESCAPED")
)"},
      {"descriptors", R"(
import os
for descriptor in range(3, 1024):
    try:
        os.write(descriptor, b"x")
        print("ESCAPED")
    except OSError: pass
try:
    os.pwrite(0, b"x", 0)
    print("ESCAPED")
except OSError: pass
os.closerange(0, 1024)
)"},
      {"mounts", R"(
import ctypes
libc = ctypes.CDLL(None)
if libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0: print("ESCAPED")
if libc.umount2(b"/usr", 2) == 0 or libc.chroot(b"/usr") == 0: print("ESCAPED")
if libc.mount(None, b"/", None, 32 | 4096, None) == 0: print("ESCAPED")
)"},
      {"namespaces", R"(
import ctypes
libc = ctypes.CDLL(None)
for flag in (0x10000000, 0x20000, 0x40000000, 0x20000000):
    if libc.unshare(flag) == 0: print("ESCAPED")
    process = libc.syscall(56, flag | 17, 0, 0, 0, 0)
    if process == 0: libc._exit(0)
    if process > 0: print("ESCAPED")
)"},
      {"devices", R"(
import os, stat
for folder in ("/tmp", "/dev"):
    try:
        os.mknod(folder + "/memory", stat.S_IFCHR | 0o600, os.makedev(1, 1))
        print("ESCAPED")
    except OSError: pass
if os.listdir("/dev") != ["null"]: print("ESCAPED")
)"},
      {"the environment", R"(
import os
if set(os.environ) - {"PYTHONHASHSEED", "PWD", "LC_CTYPE"}: print("ESCAPED", dict(os.environ))
)"},
      {"who it is", R"(
import os
if os.getuid() == 0 or os.getgid() == 0 or set(os.getgroups()) - {65534} or os.uname().nodename != "sandbox": print("ESCAPED")
)"},
      {"deep recursion", R"(
import sys
sys.setrecursionlimit(1 << 30)
def deeper(): return deeper() + 1
deeper()
)"},
      {"a null pointer", "import ctypes\nctypes.string_at(0)"},
      {"huge integers", "x = 3\nwhile True: x *= x"},
      {"a pattern that backtracks", "import re\nre.match('(a+)+b', 'a' * 60)"},
      {"garbage", "\xff\xfe\x80 def \xf0\x9f"},
      {"null bytes", std::string("print(1)\0print('ESCAPED')", 25)},
      {"too many brackets", std::string(100000, '(')},
      {"a giant message", "raise ValueError('x' * (1 << 22))"},
  };
}

}  // namespace paretofl
