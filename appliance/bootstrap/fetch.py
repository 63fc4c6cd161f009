"""Bytes of one URL from any position on, trusted by nobody yet. Slow is fine; what brings under 64
bytes a second for two minutes is dead."""
import os, signal, socket, urllib.request as web

STALL = float(os.environ.get('LANDFALL_STALL', 120))
STRAIGHT = socket.create_connection

class Source:
  at, mark, left, reply, last = 0, 0, STALL, None, None

  def __init__(self, url, proxy):
    self.url = url
    signal.signal(signal.SIGALRM, too_slow)
    socket.create_connection = STRAIGHT
    if proxy and proxy.startswith('socks5'):
      import socks5
      socket.create_connection, proxy = socks5.through(proxy), None
    way = web.ProxyHandler({'http': proxy, 'https': proxy} if proxy else {})
    self.get = web.build_opener(way).open

  def read(self, at, size):
    if self.last != (at, size):
      self.last, self.bytes = (at, size), b''.join(self.stream(at, size))
    return self.bytes

  def stream(self, at, size):
    """These bytes; fewer only where the file ends."""
    if at != self.at:
      self.at, self.reply = at, None
    while self.at < at + size:
      signal.setitimer(signal.ITIMER_REAL, self.left)
      try:
        self.reply = self.reply or self.open()
        piece = b'' if self.at == self.end else self.reply.read1(min(at + size - self.at, 65536))
      finally:
        self.left = signal.setitimer(signal.ITIMER_REAL, 0)[0] or STALL
      if not piece:
        if self.end in (None, self.at):
          return
        raise OSError('the line was cut')
      yield piece[max(at - self.at, 0):]
      self.at += len(piece)
      if self.at - self.mark > 64 * STALL:
        self.mark, self.left = self.at, STALL

  def open(self):
    wanted = {'Range': f'bytes={self.at}-'} if self.at else {}
    reply = self.get(web.Request(self.url, headers=wanted), timeout=30)
    if reply.status != 206:  # it knows no ranges and starts over
      self.at = 0
    self.mark, self.end = self.at, reply.length and self.at + reply.length
    return reply

def too_slow(*_):
  raise TimeoutError('nothing came for too long')
