"""Installs the pinned release; verifies every byte."""
import glob, json, os, re, shutil, sys, tarfile, time
from hashlib import sha256
from subprocess import getoutput, run
from fetch import STALL, Source

BOOT = json.load(open('etc/landfall/boot.json'))
ARCH = getoutput('uname -m').replace('x86_64', 'amd64').replace('aarch64', 'arm64')
PIN, PLACES, NAME = BOOT['manifests'].get(ARCH), BOOT['places'], f"{BOOT['version']}-{ARCH}"
HOME = f'opt/landfall/releases/{NAME}'
NEW, OWN = f'{HOME}.new', f'{HOME}.new.own'
# What comes first, with its largest size:
HEAD = {'release.json': 8 << 20, 'release.json.sig': 72, 'release.sigstore.json': 4096,
	'SHA256SUMS': 4 << 20, 'provenance.sigstore.json': 1 << 20}

def main():
	os.makedirs('run/landfall', exist_ok=True)
	os.sync()  # cloud-init does not
	said = str(BOOT) + open('etc/landfall/site.json').read()
	if re.search(r'(?i)<[a-z][\w ]*>|{[a-z][\w ]*}|\b(change|replace|fill)_me\b', said):
		give_up('the user-data has unfilled placeholders')
	PIN or give_up(f'this user-data has no release for {ARCH}')
	tries = getoutput('systemctl show -PNRestarts landfall-boot')
	pause = tries.isdigit() and min(int(tries) * 10 - 80, 300)
	if pause > 0:
		say(f'waiting {pause} s; systemctl restart landfall-boot tries at once')
		time.sleep(pause * STALL / 60)
	before = None
	while before != (before := amount()):  # rounds, while they change something
		# Least bytes a second, averaged over minutes:
		for turn in [(5e4, 1), (8e5, 20)] if PLACES[1:] else [(64, 1)]:
			for place in PLACES[:]:
				is_here(HOME) or try_place(place, turn)
	is_here(HOME) or sys.exit(1)
	say('the release is verified and in place')
	run(['ln', '-sfn', f'releases/{NAME}', 'opt/landfall/current.new'], check=True)
	os.replace('opt/landfall/current.new', 'opt/landfall/current')
	os.sync()

def try_place(place, turn):
	url = f"{place['url']}{BOOT['product']}-{NAME}.tar"
	say(f'fetching {url}')
	try:
		install(Source(url, *turn, place.get('proxy'), place.get('socks')))
	except Exception as why:
		say(f'{url}: {why}')
		if isinstance(why, ValueError):
			PLACES.remove(place)
		time.sleep(STALL / 30)

def say(text):
	text = ascii(text)[1:-1]
	print('landfall:', text, flush=True)
	print(text, file=open('run/landfall/bootstrap', 'w'))

def give_up(why):
	say(f'{why}; nothing was changed')
	sys.exit(78)  # no retry

def refuse(why):
	raise ValueError(f'REFUSED, {why}')

def is_here(folder):
	path = f'{folder}/release.json'
	return os.path.exists(path) and sha256(open(path, 'rb').read()).hexdigest() == PIN

def amount():
	return sum(map(os.path.getsize, glob.glob(f'{NEW}*/**', recursive=True)))

def install(source):
	at, head = 0, []
	mtime = octal(source.read(0, 512)[136:147])
	for name, most in HEAD.items():
		block = source.read(at, -at % 512 + 512)
		size = octal(block[-388:-377])
		if 0 < size <= most and block == header(at, name, size, mtime):
			head.append(source.read(at + len(block), size))
			at += len(block) + size
		elif name != 'provenance.sigstore.json':  # optional
			refuse(f'it has no proper {name}')
	manifest, signature = head[:2]
	if sha256(manifest).hexdigest() != PIN:
		refuse('its release.json is not the pinned one')
	if not is_signed(manifest, signature):
		refuse('no trusted key signed its release.json')
	release = json.loads(manifest)
	if time.strftime('%FT%TZ', time.gmtime(mtime)) != release['created']:
		refuse('its members have another time')
	if time.strftime('%FT%TZ', time.gmtime()) > release['expires']:
		say('WARNING: the release has expired')
	make_room(manifest, sum(file['size'] for file in release['files']))
	for file in release['files']:
		at = bring(source, at, file, mtime)
	if source.read(at, -at % 512 + 1025) != bytes(-at % 512 + 1024):
		refuse('it does not end where its files do')
	with tarfile.open(f'{NEW}/runtime/node.tgz') as npm, open(f'{NEW}/runtime/node', 'wb') as node:
		shutil.copyfileobj(npm.extractfile('package/bin/node'), node)
		os.fchmod(node.fileno(), 0o755)
	os.sync()
	wipe(HOME)
	os.rename(NEW, HOME)
	wipe(OWN)

def wipe(folder):
	shutil.rmtree(folder, ignore_errors=True)

def octal(field):
	return int(re.sub(b'[^0-7]', b'', field) or b'0', 8)

def header(at, name, size, mtime, mode=0o644):
	"""The only zeros and tar header that may stand between contents."""
	block = name.encode().ljust(100, b'\0') + b'%07o\0' % mode + b'0000000\0' * 2
	block += b'%011o\0' % size if size < 8**11 else b'\x80' + size.to_bytes(11, 'big')
	block += b'%011o\0' % mtime + b' ' * 8 + b'0' + bytes(100) + b'ustar\x0000' + bytes(247)
	return bytes(-at % 512) + block[:148] + b'%06o\0 ' % sum(block) + block[156:]

def is_signed(manifest, signature):
	open('run/landfall/signature', 'wb').write(signature)
	check = 'openssl dgst -sha256 -signature run/landfall/signature -verify'.split()
	return any(run([*check, key], input=manifest, capture_output=True).returncode == 0
		for key in glob.glob('etc/landfall/keys/*'))

def make_room(manifest, size):
	"""Keeps what an earlier run fetched."""
	if not is_here(NEW):
		wipe(NEW)
		wipe(OWN)
		os.makedirs(NEW, 0o700)
		open(f'{NEW}/release.json', 'xb').write(manifest)
		os.sync()
	if shutil.disk_usage(NEW).free < size - amount() + (1 << 28):
		raise OSError(f'the disk has no room for {size >> 20} MB')

def bring(source, at, file, mtime):
	"""Fetches a file or its rest. Returns where it ends."""
	name, size, digest = file['path'], file['size'], sha256()
	path = whole = f'{NEW}/{name}'
	if 'alone' in BOOT and not os.path.lexists(whole):
		path = f'{OWN}/{sha256(source.url.encode()).hexdigest()}'
	fresh = not os.path.lexists(path)
	mode = 0o755 if file['executable'] else 0o644
	start = header(at, name, size, mtime, mode)
	if '..' in name.split('/') or fresh and source.read(at, len(start)) != start:
		refuse(f'{name} is not in its place')
	for each in path, whole:
		os.makedirs(os.path.dirname(each), exist_ok=True)
	with open(path, 'x+b' if fresh else 'r+b') as out:
		while piece := out.read(1 << 20):
			digest.update(piece)
		have = out.tell()
		for piece in source.stream(at + len(start) + have, size - have):
			out.write(piece)
			digest.update(piece)
			have += len(piece)
			if have >> 24 > have - len(piece) >> 24:
				say(f'{name}: {have >> 20} of {size >> 20} MB')
		if have < size:
			raise OSError(f'{name} ends early')
	os.chmod(path, mode)
	if digest.hexdigest() != file['sha256']:
		os.unlink(path)
		if fresh or path != whole:
			refuse(f'{name} is not what was signed')
		BOOT['alone'] = 1  # mixed parts failed: each place fetches its own
		return bring(source, at, file, mtime)
	if path != whole:
		os.replace(path, whole)
		wipe(OWN)
	return at + len(start) + size

main()
