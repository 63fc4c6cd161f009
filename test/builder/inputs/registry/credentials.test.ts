import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CredentialStore } from '../../../../builder/inputs/registry/credentials.ts';
import { everythingIn, refusalOf } from '../../../faulty-registry/equipment.ts';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'landfall-test-'));
});

afterEach(() => rm(home, { recursive: true, force: true }));

function storeWith(env: NodeJS.ProcessEnv = {}, helperTimeout?: number): CredentialStore {
  const PATH = [join(home, 'bin'), process.env.PATH].join(delimiter);
  return new CredentialStore({ env: { HOME: home, PATH, ...env }, helperTimeout });
}

async function configure(config: unknown, folder = join(home, '.docker')): Promise<void> {
  await mkdir(folder, { recursive: true });
  const text = typeof config === 'string' ? config : JSON.stringify(config);
  await writeFile(join(folder, 'config.json'), text);
}

/** A credential helper: a script that stores its input in `asked`. */
async function install(name: string, script: string): Promise<void> {
  await mkdir(join(home, 'bin'), { recursive: true });
  const path = join(home, 'bin', `docker-credential-${name}`);
  await writeFile(
    path,
    `#!/bin/sh\nread -r server\necho "$1 $server" >> ${home}/asked\n${script}\n`,
  );
  await chmod(path, 0o755);
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const ops = { kind: 'password', username: 'ops', password: 'secret-of-ops' } as const;
const entry = { auth: base64('ops:secret-of-ops') };

describe('the logins of Docker', () => {
  it('returns no login if Docker was never used', async () => {
    expect(await storeWith().for('ghcr.io')).toBeUndefined();
  });

  it('returns no login from an empty Docker configuration', async () => {
    await configure('');
    expect(await storeWith().for('ghcr.io')).toBeUndefined();
  });

  it('reads the logins of Docker from DOCKER_CONFIG', async () => {
    await configure({ auths: { 'ghcr.io': entry } }, join(home, 'elsewhere'));
    expect(await storeWith({ DOCKER_CONFIG: join(home, 'elsewhere') }).for('ghcr.io')).toEqual(ops);
    expect(await storeWith().for('ghcr.io')).toBeUndefined();
  });

  it.each([
    ['a host', 'ghcr.io', 'ghcr.io'],
    ['a host with a port', 'ghcr.io:5000', 'ghcr.io:5000'],
    ['a URL', 'https://ghcr.io', 'ghcr.io'],
    ['a URL with the path of an API', 'https://ghcr.io/v2/', 'ghcr.io'],
    ['a host in capitals', 'GHCR.io', 'ghcr.io'],
    ["Docker Hub's old name", 'https://index.docker.io/v1/', 'docker.io'],
    ["Docker Hub's address", 'registry-1.docker.io', 'docker.io'],
    ["Docker Hub's name", 'docker.io', 'docker.io'],
  ])('finds the login of Docker for %s', async (_, key, host) => {
    await configure({ auths: { [key]: entry } });
    expect(await storeWith().for(host)).toEqual(ops);
  });

  it.each([
    ['another host', 'ghcr.io', 'evil.io'],
    ['a host with the same suffix', 'ghcr.io', 'not-ghcr.io'],
    ['a host with the same prefix', 'ghcr.io', 'ghcr.io.evil.io'],
    ['a subdomain', 'ghcr.io', 'sub.ghcr.io'],
    ['another port', 'ghcr.io:5000', 'ghcr.io'],
    ['the default port for a login of another port', 'ghcr.io', 'ghcr.io:5000'],
    ['the whole host for a login of a path', 'https://ghcr.io/team', 'ghcr.io'],
    ['a path as podman writes it', 'ghcr.io/team', 'ghcr.io'],
    ['a mirror named like Docker Hub', 'https://index.docker.io/v1/', 'index.docker.io.evil'],
  ])('uses no login of Docker for %s', async (_, key, host) => {
    await configure({ auths: { [key]: entry } });
    expect(await storeWith().for(host)).toBeUndefined();
  });

  it('may have colons and any letters in the password', async () => {
    await configure({ auths: { 'ghcr.io': { auth: base64('ops:a:b:ü\0\0') } } });
    expect(await storeWith().for('ghcr.io')).toEqual({ ...ops, password: 'a:b:ü' });
  });

  it('may be in plain fields', async () => {
    await configure({ auths: { 'ghcr.io': { username: 'ops', password: 'secret-of-ops' } } });
    expect(await storeWith().for('ghcr.io')).toEqual(ops);
  });

  it('may be identity tokens, which have priority over passwords', async () => {
    await configure({ auths: { 'ghcr.io': { ...entry, identitytoken: 'token' } } });
    expect(await storeWith().for('ghcr.io')).toEqual({ kind: 'identity', token: 'token' });
  });

  it('may be empty, as Docker writes them with a helper', async () => {
    await configure({ auths: { 'ghcr.io': {} } });
    expect(await storeWith().for('ghcr.io')).toBeUndefined();
  });
});

describe('unusable logins', () => {
  it.each([
    ['invalid JSON', '{"auths":{"ghcr.io":{"auth":"c2VjcmV0LW9mLW9wcw=="'],
    ['a list', '[]'],
    ['a number for a helper', '{"credsStore":7}'],
    ['no user', JSON.stringify({ auths: { 'ghcr.io': { auth: base64('secret-of-ops') } } })],
    ['an empty user', JSON.stringify({ auths: { 'ghcr.io': { auth: base64(':secret-of-ops') } } })],
    [
      'a user with a colon',
      JSON.stringify({ auths: { 'ghcr.io': { username: 'a:b', password: 'secret-of-ops' } } }),
    ],
    ['a file that is too large', ' '.repeat(1024 * 1024 + 1)],
  ])('rejects unusable logins of Docker without quoting them: %s', async (_, text) => {
    await configure(text);
    const error = await refusalOf(storeWith().for('ghcr.io'));
    expect(error.code).toBe('REGISTRY_CREDENTIALS');
    expect(everythingIn(error)).not.toContain('secret-of-ops');
    expect(everythingIn(error)).not.toContain('c2VjcmV0LW9mLW9wcw');
  });

  it('rejects logins of Docker if their file is a folder', async () => {
    await mkdir(join(home, '.docker', 'config.json'), { recursive: true });
    expect((await refusalOf(storeWith().for('ghcr.io'))).code).toBe('REGISTRY_CREDENTIALS');
  });
});

describe('a credential helper', () => {
  const answer = `echo '{"ServerURL":"x","Username":"ops","Secret":"secret-of-ops"}'`;

  it('for one host is called once for that host', async () => {
    await install('one', answer);
    await configure({ credHelpers: { 'ghcr.io': 'one' } });
    const store = storeWith();
    expect(await Promise.all([store.for('ghcr.io'), store.for('ghcr.io')])).toEqual([ops, ops]);
    expect(await store.for('quay.io')).toBeUndefined();
    expect(await asked()).toEqual(['get ghcr.io']);
  });

  it('for all hosts is called for every host, and for Docker Hub with its old name', async () => {
    await install('all', answer);
    await configure({ credsStore: 'all' });
    const store = storeWith();
    await store.for('quay.io:5000');
    await store.for('docker.io');
    expect(await asked()).toEqual(['get quay.io:5000', 'get https://index.docker.io/v1/']);
  });

  it('for one host has priority over the one for all', async () => {
    await install('all', 'exit 1');
    await install('one', answer);
    await configure({ credsStore: 'all', credHelpers: { 'ghcr.io': 'one' } });
    expect(await storeWith().for('ghcr.io')).toEqual(ops);
  });

  it('may return an identity token', async () => {
    await install('one', `echo '{"Username":"<token>","Secret":"token"}'`);
    await configure({ credsStore: 'one' });
    expect(await storeWith().for('ghcr.io')).toEqual({ kind: 'identity', token: 'token' });
  });

  it('without a login falls back to the file', async () => {
    await install('one', 'echo "credentials not found in native keychain"; exit 1');
    await configure({ credsStore: 'one', auths: { 'quay.io': entry } });
    expect(await storeWith().for('ghcr.io')).toBeUndefined();
    expect(await storeWith().for('quay.io')).toEqual(ops);
  });

  it('gets only the given environment', async () => {
    await install('one', `echo "{\\"Username\\":\\"$WHO\\",\\"Secret\\":\\"$LEAKED\\"}"`);
    await configure({ credsStore: 'one' });
    process.env.LEAKED = 'leaked';
    try {
      const found = await storeWith({ WHO: 'ops' }).for('ghcr.io');
      expect(found).toEqual({ kind: 'password', username: 'ops', password: '' });
    } finally {
      delete process.env.LEAKED;
    }
  });

  it.each([
    ['is not installed', undefined, 'is not installed'],
    ['fails', 'echo secret-of-ops; echo secret-of-ops >&2; exit 3', 'exit code 3'],
    ['prints invalid JSON', 'echo secret-of-ops', 'no JSON with Username and Secret'],
    [
      'prints an incomplete answer',
      `echo '{"Secret":"secret-of-ops"}'`,
      'no JSON with Username and Secret',
    ],
    ['prints without end', 'while :; do echo secret-of-ops; done', 'too much output'],
    ['is killed', 'kill -9 $$', 'killed by a signal'],
  ])('that %s is reported without its output', async (_, script, reason) => {
    if (script) await install('one', script);
    await configure({ credsStore: 'one' });
    const error = await refusalOf(storeWith().for('ghcr.io'));
    expect(error.code).toBe('REGISTRY_CREDENTIALS');
    expect(error.message).toContain('docker-credential-one');
    expect(error.message).toContain(reason);
    expect(everythingIn(error)).not.toContain('secret-of-ops');
  });

  it('that never returns times out', async () => {
    await install('one', 'exec sleep 60');
    await configure({ credsStore: 'one' });
    const error = await refusalOf(storeWith({}, 200).for('ghcr.io'));
    expect(error.message).toContain('timed out after 0.2 s');
  });

  it.each(['../../bin/sh', '/bin/sh', 'a b', '-x', ''])('cannot have the name %j', async (name) => {
    await configure({ credHelpers: { 'ghcr.io': name } });
    const looking = storeWith().for('ghcr.io');
    if (name === '') expect(await looking).toBeUndefined();
    else expect((await refusalOf(looking)).code).toBe('REGISTRY_CREDENTIALS');
  });

  async function asked(): Promise<string[]> {
    return (await readFile(join(home, 'asked'), 'utf8')).trim().split('\n');
  }
});
