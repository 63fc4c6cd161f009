"""SOCKS5 (RFC 1928) with login (RFC 1929). The proxy resolves names: local DNS may be forged."""
import ipaddress, socket
from urllib.parse import unquote, urlsplit

DIRECT = socket.create_connection

def through(proxy, get):
	"""Returns get() with connections through the proxy."""
	url = urlsplit(proxy)
	login = [unquote(part or '').encode() for part in (url.username, url.password)]
	server = url.hostname, url.port or 1080
	def get_through(*args, **options):
		socket.create_connection = lambda target, *_: connect(DIRECT(server, 30), login, *target)
		try:
			return get(*args, **options)
		finally:
			socket.create_connection = DIRECT
	return get_through

def connect(proxy, login, host, port):
	def exchange(message, size):
		proxy.sendall(message)
		reply = b''
		while len(reply) < size:
			chunk = proxy.recv(size - len(reply))
			if not chunk:
				raise OSError('the SOCKS5 proxy closed the connection')
			reply += chunk
		return reply

	method = b'\5\2' if login[0] else b'\5\0'
	if exchange(b'\5\1' + method[1:], 2) != method:
		raise OSError('the SOCKS5 proxy requires another login method')
	if login[0] and exchange(b'\1' + b''.join(map(with_length, login)), 2)[1]:
		raise OSError('the SOCKS5 proxy rejected the login')
	try:
		address = ipaddress.ip_address(host)
		target = (b'\1' if address.version == 4 else b'\4') + address.packed
	except ValueError:
		target = b'\3' + with_length(host.encode())
	reply = exchange(b'\5\1\0' + target + port.to_bytes(2, 'big'), 5)
	if reply[1]:
		raise OSError(f'the SOCKS5 proxy returned error {reply[1]}')
	exchange(b'', {1: 5, 4: 17}.get(reply[3], reply[4] + 2))
	return proxy

def with_length(text):
	return bytes([len(text)]) + text
