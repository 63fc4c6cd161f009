import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { routeCommand } from '../../../../builder/commands/route/route.ts';
import { runCommand, terminalIn } from '../terminal.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'landfall-home-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const at = (name: string) => join(home, name);
const read = (name: string) => readFileSync(at(name), 'utf8');
const modeOf = (name: string) => statSync(at(name)).mode & 0o777;
const settings = '.config/landfall/route';

/** Runs `landfall route …` as a user with bash, and returns its output. */
async function route(args: string, { input = '', env = {} } = {}): Promise<string> {
  const terminal = terminalIn(home, { SHELL: '/bin/bash', ...env }, input);
  await runCommand(routeCommand, terminal, ...args.split(' ').filter((word) => word !== ''));
  return terminal.out();
}

/** Runs a script in a new interactive bash of the user. */
function inNewShell(script: string): string {
  const env = { PATH: process.env.PATH, HOME: home };
  return execFileSync('bash', ['-ic', script], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trimEnd();
}

describe('landfall route on', () => {
  it('sets the proxy in new shells, without output, and its functions', async () => {
    writeFileSync(at('.bashrc'), 'alias ll=ls');
    const out = await route('on http://10.0.0.2:7890 --exempt corp.example');
    expect(out).toContain('New shells use http://10.0.0.2:7890');
    expect(out).toContain(at('.bashrc'));
    expect(inNewShell('echo $https_proxy')).toBe('http://10.0.0.2:7890');
    expect(inNewShell('proxy_off; echo "<$https_proxy$no_proxy>"; proxy_on')).toBe(
      'Proxy off\n<>\nProxy on',
    );
    expect(inNewShell('echo $no_proxy')).toMatch(/^localhost,.*,corp\.example,\.corp\.example$/);
  });

  it('keeps a password in files that only the user can read', async () => {
    const out = await route('on http://me@10.0.0.2:7890', { input: "p@ss 'wörd$\n" });
    const shown = await route('show --json');
    expect(out + shown).not.toContain('ss%20');
    expect(JSON.parse(shown).proxy).toBe('http://me:***@10.0.0.2:7890');
    const url = 'http://me:p%40ss%20%27w%C3%B6rd%24@10.0.0.2:7890';
    expect(inNewShell('echo $http_proxy')).toBe(url);
    expect(modeOf(settings)).toBe(0o700);
    for (const name of ['values.sh', 'route.json'])
      expect(modeOf(`${settings}/${name}`)).toBe(0o600);
    expect(read('.bashrc')).not.toContain('p%40ss');
  });

  it.each([
    ['http://me:secret@10.0.0.2:7890', /password, which other users/],
    ['ftp://10.0.0.2:7890', /must be a URL such as/],
    ["http://10.0.0.2:7890/'x", /must be a URL such as/],
    ['http://10.0.0.2:7890/path', /must end after its port/],
    ['http://me%zz@10.0.0.2:7890', /invalid %/],
  ])('rejects %s and changes nothing', async (url, message) => {
    await expect(route(`on ${url}`)).rejects.toMatchObject({
      ...{ code: 'USAGE', message: expect.stringMatching(message) },
    });
    await expect(route(`on ${url}`)).rejects.not.toThrow('secret');
    expect(existsSync(at('.config'))).toBe(false);
  });

  it('requires the password of a user on standard input', async () => {
    await expect(route('on http://me@10.0.0.2:7890')).rejects.toThrow(/missing or invalid/);
  });

  it('changes the files of zsh and fish if they exist, and follows links', async () => {
    mkdirSync(at('.config/fish'), { recursive: true });
    writeFileSync(at('.config/fish/config.fish'), '# fish\n');
    mkdirSync(at('dotfiles'));
    writeFileSync(at('dotfiles/zshrc'), '# zsh\n', { mode: 0o600 });
    symlinkSync('dotfiles/zshrc', at('.zshrc'));
    await route('on socks5h://10.0.0.2:1080');
    expect(lstatSync(at('.zshrc')).isSymbolicLink()).toBe(true);
    expect(read('.zshrc')).toContain('functions.sh');
    expect(modeOf('dotfiles/zshrc')).toBe(0o600);
    expect(read('.config/fish/config.fish')).toContain('functions.fish');
    expect(inNewShell('echo $all_proxy$http_proxy')).toBe('socks5h://10.0.0.2:1080');
  });

  // As root with the HOME of another user, as `sudo -E` sets it.
  it.runIf(process.getuid?.() === 0)(
    'rejects files of another user, and keeps their owner and content',
    async () => {
      for (const name of ['.bashrc', '.config']) {
        const other = mkdtempSync(join(tmpdir(), 'landfall-home-'));
        const path = join(other, name);
        if (name === '.config') mkdirSync(path);
        else writeFileSync(path, '# mine\n');
        chownSync(path, 1234, 1234);
        for (const args of ['on http://10.0.0.2:7890', 'off']) {
          const changing = route(args, { env: { HOME: other } });
          await expect(changing).rejects.toMatchObject({ code: 'FILE_ACCESS' });
        }
        expect(statSync(path).uid).toBe(1234);
        expect(readdirSync(other)).toEqual([name]);
        if (name === '.config') expect(readdirSync(path)).toEqual([]);
        else expect(readFileSync(path, 'utf8')).toBe('# mine\n');
        rmSync(other, { recursive: true });
      }
    },
  );

  it('replaces an earlier proxy, and keeps the first backup', async () => {
    writeFileSync(at('.bashrc'), '# mine\n');
    await route('on http://10.0.0.2:7890');
    const first = read('.bashrc');
    await route('on socks5h://10.0.0.3:1080');
    expect(read('.bashrc')).toBe(first);
    expect(read('.bashrc.landfall-backup')).toBe('# mine\n');
    expect(inNewShell('echo $all_proxy$http_proxy')).toBe('socks5h://10.0.0.3:1080');
  });
});

describe('landfall route off', () => {
  it.each(['', '# mine\n', 'no line break'])('restores a startup file with %j', async (text) => {
    writeFileSync(at('.bashrc'), text, { mode: 0o640 });
    await route('on http://10.0.0.2:7890');
    expect(await route('off')).toContain(at('.bashrc'));
    expect(read('.bashrc')).toBe(text);
    expect(modeOf('.bashrc')).toBe(0o640);
    expect(existsSync(at('.bashrc.landfall-backup'))).toBe(false);
    expect(existsSync(at(settings))).toBe(false);
  });

  it('restores bytes that are not UTF-8, also in the copy', async () => {
    const bytes = Buffer.concat([Buffer.from('# '), Buffer.from([0xc4, 0xe3, 0xe9, 0xff, 0x0a])]);
    for (const name of ['.bashrc', '.zshrc']) writeFileSync(at(name), bytes);
    await route('on http://10.0.0.2:7890');
    for (const name of ['.bashrc', '.zshrc']) {
      expect(readFileSync(at(`${name}.landfall-backup`)).equals(bytes)).toBe(true);
      expect(readFileSync(at(name)).includes(bytes)).toBe(true);
    }
    await route('off');
    for (const name of ['.bashrc', '.zshrc']) {
      expect(readFileSync(at(name)).equals(bytes)).toBe(true);
    }
  });

  it('rejects a block that lost its last line, and changes nothing', async () => {
    const text = '# >>> landfall route >>>\nalias mine=ls\n';
    writeFileSync(at('.bashrc'), text);
    for (const args of ['on http://10.0.0.2:7890', 'off']) {
      await expect(route(args)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
      expect(read('.bashrc')).toBe(text);
      expect(existsSync(at('.config'))).toBe(false);
    }
  });

  it('removes a startup file that did not exist before', async () => {
    await route('on http://10.0.0.2:7890');
    await route('off');
    expect(existsSync(at('.bashrc'))).toBe(false);
  });

  it('keeps later changes of the user, and the backup', async () => {
    writeFileSync(at('.bashrc'), '# mine\n');
    await route('on http://10.0.0.2:7890');
    writeFileSync(at('.bashrc'), `${read('.bashrc')}# later\n`);
    await route('off');
    expect(read('.bashrc')).toBe('# mine\n# later\n');
    expect(read('.bashrc.landfall-backup')).toBe('# mine\n');
  });

  it('reports a startup file that cannot be changed', async () => {
    mkdirSync(at('.bashrc'));
    await expect(route('on http://10.0.0.2:7890')).rejects.toMatchObject({ code: 'FILE_ACCESS' });
  });

  it('accepts landfall route off without a proxy', async () => {
    expect(await route('off')).toBe('No proxy was set.\n');
  });
});

describe('landfall route show', () => {
  it('shows the route by default, and reports that there is no proxy', async () => {
    expect(await route('')).toBe('proxy          none\nthis shell     off\n');
  });

  it('reports whether this shell uses the proxy', async () => {
    await route('on http://10.0.0.2:7890');
    const states = async (env: object) => JSON.parse(await route('show --json', { env })).thisShell;
    expect(await states({})).toBe('off');
    expect(await states({ http_proxy: 'http://10.0.0.9:1' })).toBe('another proxy');
    expect(await states({ http_proxy: 'http://10.0.0.2:7890' })).toBe('on');
    expect(await route('show')).toContain(`startup files  ${at('.bashrc')}\n`);
  });

  it('rejects a file that is not its own, without printing it', async () => {
    mkdirSync(at(settings), { recursive: true });
    writeFileSync(at(`${settings}/route.json`), '{"url":"http://me:secret@x"');
    await expect(route('show')).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(route('show')).rejects.not.toThrow('secret');
  });
});

describe('landfall route pac', () => {
  it('prints a PAC file without a login', async () => {
    await route('on http://me@10.0.0.2:7890', { input: 'secret' });
    expect(await route('pac')).toContain("return 'PROXY 10.0.0.2:7890'");
    expect(await route('pac')).not.toContain('secret');
  });

  it('requires a proxy', async () => {
    await expect(route('pac')).rejects.toMatchObject({ code: 'CONFIG_MISSING' });
  });
});

describe('landfall route proxychains', () => {
  it('prints the settings of a proxy without a login', async () => {
    await route('on socks5h://10.0.0.2:1080');
    expect(await route('proxychains')).toContain('[ProxyList]\nsocks5 10.0.0.2 1080\n');
  });

  it('writes a login only to a file that only the user can read', async () => {
    await route('on http://me@10.0.0.2:7890', { input: 'p@ss' });
    await expect(route('proxychains')).rejects.toMatchObject({ code: 'USAGE' });
    const out = await route('proxychains --output chains.conf');
    expect(out).toBe(`Run: proxychains4 -f ${at('chains.conf')} <command>\n`);
    expect(read('chains.conf')).toContain('http 10.0.0.2 7890 me p@ss\n');
    expect(modeOf('chains.conf')).toBe(0o600);
  });

  it('requires a proxy', async () => {
    await expect(route('proxychains')).rejects.toMatchObject({ code: 'CONFIG_MISSING' });
  });
});

describe('an unknown subcommand', () => {
  it('rejects an unknown subcommand with the known ones', async () => {
    await expect(route('onn')).rejects.toThrow(/unknown command 'onn'/);
  });
});
