"""Installs the pinned release; verifies every byte."""
import glob, json, os, re, shutil, tarfile, time
from hashlib import sha256
from subprocess import getoutput, run
from fetch import STALL, Source

BOOT = json.load(open('etc/landfall/boot.json'))
ARCH = getoutput('uname -m').replace('x86_64', 'amd64').replace('aarch64', 'arm64')
PIN, SOURCES, NAME = BOOT['manifests'].get(ARCH), BOOT['sources'], f"{BOOT['version']}-{ARCH}"
HOME = f'opt/landfall/releases/{NAME}'
NEW, OWN = f'{HOME}.new', f'{HOME}.new.own'
# Members before the files, with maximum sizes:
HEAD = {'release.json': 8 << 20, 'release.json.sig': 72, 'release.sigstore.json': 4096,
	'SHA256SUMS': 4 << 20, 'provenance.sigstore.json': 1 << 20}

def main():
	os.makedirs('run/landfall', exist_ok=True)
	os.sync()  # cloud-init does not
	text = str(BOOT) + open('etc/landfall/site.json').read()
	if re.search(r'(?i)[<{][a-z][\w ]*[>}]|\b(change|replace|fill)_me\b', text):
		give_up('the user-data has unfilled placeholders')
	PIN or give_up(f'this user-data has no release for {ARCH}')
	tries = getoutput('systemctl show -PNRestarts landfall-boot')
	pause = tries.isdigit() and min(int(tries) * 10 - 80, 300)
	if pause > 0:
		say(f'retrying in {pause} s, or now with systemctl restart landfall-boot')
		time.sleep(pause * STALL / 60)
	before = None
	while before != (before := fetched()):  # until a round changes nothing
		# Minimum bytes per second, averaged over minutes:
		for pace in [(5e4, 1), (8e5, 20)] if SOURCES[1:] else [(64, 1)]:
			for source in SOURCES[:]:
				is_pinned(HOME) or try_source(source, pace)
	is_pinned(HOME) or exit(1)
	say('the release is verified and in place')
	run(['ln', '-sfn', f'releases/{NAME}', 'opt/landfall/current.new'], check=True)
	os.replace('opt/landfall/current.new', 'opt/landfall/current')
	os.sync()

def try_source(source, pace):
	url = f"{source['url']}{BOOT['product']}-{NAME}.tar"
	say(f'fetching {url}')
	try:
		install(Source(BOOT.get('parts', {}).get(ARCH), *pace, **{**source, 'url': url}))
	except Exception as why:
		say(f'{url}: {why}')
		if isinstance(why, ValueError):
			SOURCES.remove(source)
		time.sleep(STALL / 30)

def say(text):
	text = ascii(text)[1:-1]
	print('landfall:', text)
	print(text, file=open('run/landfall/bootstrap', 'w'))

def give_up(why):
	say(f'{why}; nothing was changed')
	exit(78)  # no retry

def reject(why):
	raise ValueError(f'rejected: {why}')

def is_pinned(folder):
	path = f'{folder}/release.json'
	return os.path.exists(path) and sha256(open(path, 'rb').read()).hexdigest() == PIN

def fetched():
	return sum(map(os.path.getsize, glob.glob(f'{NEW}*/**', recursive=True)))

def install(source):
	at, head = 0, []
	for name, limit in HEAD.items():
		block = source.read(at, -at % 512 + 512)
		size = octal(block[-388:-377])
		at or (mtime := octal(block[136:147]))
		if 0 < size <= limit and block == header(at, name, size, mtime):
			at += len(block)
			head.append(source.read(at, size))
			at += size
		elif 'provenance' not in name:  # optional
			reject(f'{name} is missing or malformed')
	manifest, signature = head[:2]
	sha256(manifest).hexdigest() == PIN or reject('release.json does not match the pin')
	is_signed(manifest, signature) or reject('no trusted key signed release.json')
	release = json.loads(manifest)
	time.strftime('%FT%TZ', time.gmtime(mtime)) == release['created'] or reject(
		'mtime differs from the release')
	if time.strftime('%FT%TZ', time.gmtime()) > release['expires']:
		say('WARNING: the release has expired')
	prepare(manifest, sum(file['size'] for file in release['files']))
	for file in release['files']:
		at = fetch(source, at, file, mtime)
	if source.read(at, -at % 512 + 1025) != bytes(-at % 512 + 1024):
		reject('truncated or trailing data')
	with tarfile.open(f'{NEW}/runtime/node.tgz') as npm, open(f'{NEW}/runtime/node', 'wb') as node:
		shutil.copyfileobj(npm.extractfile('package/bin/node'), node)
		os.chmod(node.name, 0o755)
	os.sync()
	wipe(HOME)
	os.rename(NEW, HOME)
	wipe(OWN)

def wipe(folder):
	shutil.rmtree(folder, True)

def octal(field):
	return int(re.sub(b'[^0-7]', b'', field) or b'0', 8)

def header(at, name, size, mtime, mode=0o644):
	"""Returns the only valid padding and tar header."""
	block = name.encode().ljust(100, b'\0') + b'%07o\0' % mode + b'0000000\0' * 2
	block += b'%011o\0' % size if size < 8**11 else b'\x80' + size.to_bytes(11, 'big')
	block += b'%011o\0' % mtime + b' ' * 8 + b'0' + bytes(100) + b'ustar\x0000' + bytes(247)
	return bytes(-at % 512) + block[:148] + b'%06o\0 ' % sum(block) + block[156:]

def is_signed(manifest, signature):
	open('run/landfall/signature', 'wb').write(signature)
	return any(run(f'openssl dgst -sha256 -signature run/landfall/signature -verify {key}'.split(),
		input=manifest, capture_output=True).returncode == 0 for key in glob.glob('etc/landfall/keys/*'))

def prepare(manifest, size):
	"""Keeps the files of an earlier run."""
	if not is_pinned(NEW):
		wipe(NEW)
		wipe(OWN)
		os.makedirs(NEW, 0o700)
		open(f'{NEW}/release.json', 'xb').write(manifest)
		os.sync()
	if shutil.disk_usage(NEW).free < size - fetched() + (1 << 28):
		raise OSError(f'no disk space for {size >> 20} MB')

def fetch(source, at, file, mtime):
	"""Fetches a file or its rest. Returns its end."""
	name, size, digest = file['path'], file['size'], sha256()
	path = whole = f'{NEW}/{name}'
	if 'own' in BOOT and not os.path.lexists(whole):
		path = f'{OWN}/{sha256(source.url.encode()).hexdigest()}'
	fresh = not os.path.lexists(path)
	mode = 0o755 if file['executable'] else 0o644
	start = header(at, name, size, mtime, mode)
	if '..' in name.split('/') or fresh and source.read(at, len(start)) != start:
		reject(f'{name}: bad path or header')
	os.makedirs(os.path.dirname(path), exist_ok=True)
	with open(path, 'x+b' if fresh else 'r+b') as out:
		while chunk := out.read(1 << 20):
			digest.update(chunk)
		have = out.tell()
		for chunk in source.stream(at + len(start) + have, size - have):
			out.write(chunk)
			digest.update(chunk)
			if have >> 24 < (have := have + len(chunk)) >> 24:
				say(f'{name}: {have >> 20} of {size >> 20} MB')
		if have < size:
			raise OSError(f'{name} is truncated')
	os.chmod(path, mode)
	if digest.hexdigest() != file['sha256']:
		os.unlink(path)
		if fresh or path != whole:
			reject(f'{name}: wrong SHA-256')
		BOOT['own'] = 1  # mixing failed: each source fetches its own copy
		return fetch(source, at, file, mtime)
	if path != whole:
		os.renames(path, whole)
		wipe(OWN)
	return at + len(start) + size

main()
