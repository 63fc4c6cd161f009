"""SOCKS5 by RFC 1928 with the login of RFC 1929. The proxy looks names up: answers on this side may
be forged."""
import ipaddress, socket
from urllib.parse import unquote, urlsplit

STRAIGHT = socket.create_connection

def through(proxy, get):
	"""Lets get() connect by way of the proxy; what is connected stays so."""
	via = urlsplit(proxy)
	login = [unquote(part or '').encode() for part in (via.username, via.password)]
	there = via.hostname, via.port or 1080
	def get_there(*what, **how):
		socket.create_connection = lambda target, *_: connect(STRAIGHT(there, 30), login, *target)
		try:
			return get(*what, **how)
		finally:
			socket.create_connection = STRAIGHT
	return get_there

def connect(line, login, host, port):
	def turn(message, size):
		line.sendall(message)
		reply = b''
		while len(reply) < size:
			piece = line.recv(size - len(reply))
			if not piece:
				raise OSError('the SOCKS5 proxy hung up')
			reply += piece
		return reply

	way = b'\5\2' if login[0] else b'\5\0'
	if turn(b'\5\1' + way[1:], 2) != way:
		raise OSError('the SOCKS5 proxy wants another kind of login')
	if login[0] and turn(b'\1' + b''.join(map(sized, login)), 2)[1]:
		raise OSError('the SOCKS5 proxy refused the login')
	try:
		address = ipaddress.ip_address(host)
		name = (b'\1' if address.version == 4 else b'\4') + address.packed
	except ValueError:
		name = b'\3' + sized(host.encode())
	reply = turn(b'\5\1\0' + name + port.to_bytes(2, 'big'), 5)
	if reply[1]:
		raise OSError(f'the SOCKS5 proxy answered {reply[1]}')
	turn(b'', {1: 5, 4: 17}.get(reply[3], reply[4] + 2))
	return line

def sized(text):
	return bytes([len(text)]) + text
