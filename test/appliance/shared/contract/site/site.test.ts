import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  byComponent,
  componentOf,
  portComponents,
  selectableComponents,
} from '#contract/component-names.ts';
import { siteSchema } from '#contract/site/site.ts';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';
const minimal = { release: ['https://example.org/r/'], admin: { ssh_keys: [key] } };

/** Returns the paths of the rejected fields; none for a valid site. */
function flawsOf(site: object): string[] {
  const parsed = siteSchema.safeParse({ ...minimal, ...site });
  return [...new Set((parsed.error?.issues ?? []).map(pathOf))];
}

/** Returns the position of an issue. A union has one list for each of its options, the first is the usual one. */
function pathOf(issue: z.core.$ZodIssue): string {
  const inner = issue.code === 'invalid_union' ? issue.errors[0]?.[0] : undefined;
  return [...issue.path, ...(inner && pathOf(inner) ? [pathOf(inner)] : [])].join('.');
}

describe('a site', () => {
  it('fills a site with safe defaults', () => {
    expect(siteSchema.parse(minimal)).toEqual({
      release: ['https://example.org/r/'],
      admin: { user: 'ops', ssh_keys: [key] },
      hosts: {},
      tls: { mode: 'internal', accept_terms: false },
      route: { mode: 'direct' },
      mirrors: { registries: {} },
      docker: { source: 'auto' },
      upgrades: { reboot: 'never' },
      updates: { channels: [] },
      components: byComponent(selectableComponents, () => false),
      providers: {},
      firewall: { allow: [], unlimited: [] },
      alerts: [],
      relay: { keys: [] },
      ui: { function_calling: 'legacy' },
      tinyproxy: { allow: [] },
      ports: byComponent(portComponents, (name) => componentOf(name).port),
      variables: {},
    });
  });

  it('keeps a site unchanged when it is parsed again, as on the server', () => {
    const site = siteSchema.parse(minimal);
    expect(siteSchema.parse(JSON.parse(JSON.stringify(site)))).toEqual(site);
  });
});

describe('a network without limits', () => {
  it.each(['203.0.113.7', '173.245.48.0/20', '2400:cb00::/32', '2001:DB8::7'])(
    'may be %s',
    (text) => {
      expect(flawsOf({ firewall: { unlimited: [text] } })).toEqual([]);
    },
  );

  it.each(['example.com', '10.0.0.0/33', '10.0.0', '64:ff9b::192.0.2.1/96', '::1; drop', ''])(
    'may not be %j',
    (text) => {
      expect(flawsOf({ firewall: { unlimited: [text] } })).toEqual(['firewall.unlimited.0']);
    },
  );
});

describe('a URL', () => {
  it.each([
    'https://example.com',
    'http://10.0.0.2:8080/a/b/',
    'https://[2001:db8::1]/x/',
    'https://example.com/a%20b/(2)',
    'https://xn--fiqs8s.example/',
    'http://mirror:8080/',
    'http://my_mirror.lan/',
    'https://EXAMPLE.com/',
    'https://[2001:DB8:0::1]/',
  ])('may be %s', (url) => {
    expect(flawsOf({ release: [url] })).toEqual([]);
  });

  it.each([
    ['a line break, which URL parsers remove', 'https://exam\nple.com/'],
    ['a space around it', ' https://example.com/ '],
    ['a quote', "https://example.com/';reboot;'"],
    ['a dollar sign, which shells expand', 'https://example.com/$(id)'],
    ['a backtick', 'https://example.com/`id`'],
    ['a backslash', 'https:\\\\example.com'],
    ['letters beyond ASCII', 'https://例え.example/'],
    ['no host', 'https://'],
    ['an invalid port', 'https://example.com:99999/'],
    ['a host with a parenthesis', 'https://a(b.example.com/v1'],
    ['a host with a star', 'https://*.com/v1'],
    ['a host that is percent-encoded', 'https://ex%61mple.com/'],
    ['an address of two numbers', 'http://10.1/'],
    ['an address in hexadecimal', 'http://0x7f.0.0.1/'],
    ['an address as one number', 'http://2130706433/'],
    ['an address with an octal number', 'http://010.0.0.1/'],
    ['a dot after its host', 'https://example.com./'],
    ['an empty label in its host', 'https://a..example.com/'],
    ['a host after a second @', 'https://a@(b/c@example.com/'],
    ['another scheme', 'file:///etc/passwd'],
    ['a javascript scheme', 'javascript:alert(1)'],
    ['an empty query', 'https://example.com/v1?'],
    ['an empty fragment', 'https://example.com/v1#'],
    ['an empty query and a fragment', 'https://example.com/v1?#x'],
    ['more than the maximum length', `https://example.com/${'a'.repeat(1024)}`],
  ])('rejects a URL with %s', (_what, url) => {
    expect(flawsOf({ release: [url] })).toEqual(['release.0']);
  });

  it('that is accepted can be parsed, and contains no special characters', () => {
    const tail = fc.oneof(
      fc.webUrl().map((url) => url.slice(7)),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(tail, (text) => {
        const url = `https://${text}`;
        if (flawsOf({ release: [url] }).length > 0) return;
        expect(URL.canParse(url)).toBe(true);
        expect(url).not.toMatch(/[\s'"`$\\<>|{}^]|[^ -~]/);
      }),
    );
  });

  it.each([
    'https://me@example.com/v1',
    'https://example.com/v1?key=1',
    'https://example.com/v1#x',
  ])('rejects a URL of a provider with more than the base: %s', (url) => {
    expect(flawsOf({ providers: { openai: { base_url: url } } })).toEqual([
      'providers.openai.base_url',
    ]);
    expect(flawsOf({ variables: { PROVIDER_BASE_URL: url } })).toEqual([
      'variables.PROVIDER_BASE_URL',
    ]);
  });

  it.each([
    'https://a.example/?token=1',
    'https://b.example/#x',
    'https://me@c.example/',
    'https://me:secret@c.example/r/',
  ])('rejects the URL %s of a release, because file names are appended to it', (url) => {
    expect(flawsOf({ release: [url] })).toEqual(['release.0']);
  });

  it.each(['https://10.0.0.2:443', 'HTTPS://me:pw@proxy.example'])(
    'rejects the https proxy %s of a route, which the bootstrap does not support',
    (url) => {
      expect(flawsOf({ route: { mode: 'http-proxy', url } })).toEqual(['route.url']);
      expect(flawsOf({ variables: { HTTPS_PROXY: url } })).toEqual(['variables.HTTPS_PROXY']);
    },
  );

  it('requires the URL of a route to match its mode', () => {
    const route = (mode: string, url: string) => flawsOf({ route: { mode, url } });
    expect(route('http-proxy', 'http://10.0.0.2:7890')).toEqual([]);
    expect(route('socks5', 'socks5h://10.0.0.2:7891')).toEqual([]);
    expect(route('http-proxy', 'socks5://10.0.0.2:7891')).toEqual(['route.url']);
    expect(route('socks5', 'http://10.0.0.2:7890')).toEqual(['route.url']);
  });

  it.each([
    ['a password without a user', ':secret@', 'needs both user and password, or neither'],
    ['a user without a password', 'token@', 'needs both user and password, or neither'],
    ['a % that encodes nothing', 'me:50%zz@', 'use %25 for a literal %'],
    ['a % at its end', 'me:50%@', 'use %25 for a literal %'],
    ['invalid UTF-8', 'me:%ff@', 'use %25 for a literal %'],
    ['a % whose digits are in the password', '%:2d@', 'use %25 for a literal %'],
    ['a line break', 'me:a%0aUpstream@', 'has a control character'],
    ['an @', 'me:p%40ss@', 'does not support'],
    ['a colon in its user', 'm%3Ae:pass@', 'does not support'],
    ['a bracket', 'me:p[w@', 'use %5B or %5D'],
    ['an unencoded #', 'u#:p@', 'has an @ after its host'],
    ['an unencoded /', 'u/x@', 'has an @ after its host'],
  ])(
    'rejects a URL of a route with a login with %s, which programs parse differently',
    (_what, login, said) => {
      for (const [mode, scheme] of [
        ['http-proxy', 'http'],
        ['socks5', 'socks5h'],
      ]) {
        const route = { mode, url: `${scheme}://${login}10.0.0.2:7890` };
        const { error } = siteSchema.safeParse({ ...minimal, route });
        expect(error?.issues).toEqual([
          expect.objectContaining({
            path: ['route', 'url'],
            message: expect.stringContaining(said),
          }),
        ]);
      }
    },
  );

  it.each([':0', ':7890/x', ':7890?x', ':7890#x'])(
    'rejects a URL of a route that ends in %s',
    (end) => {
      const url = `http://10.0.0.2${end}`;
      expect(flawsOf({ route: { mode: 'http-proxy', url } })).toEqual(['route.url']);
    },
  );

  it.each(['?', '#', '[', ']', '%0a', '%20', '%00', '%7F'])(
    'rejects a URL of a package archive with %s, which apt parses differently',
    (text) => {
      const url = `https://mirror.example.com/debian${text}x`;
      expect(flawsOf({ mirrors: { apt: url } })).toEqual(['mirrors.apt']);
      expect(flawsOf({ mirrors: { apt_security: url } })).toEqual(['mirrors.apt_security']);
      expect(flawsOf({ docker: { mirror: url } })).toEqual(['docker.mirror']);
    },
  );

  it('accepts one scheme in a URL, and another URL in the path of a mirror', () => {
    expect(flawsOf({ release: ['https://ftp://bad'] })).toEqual(['release.0']);
    expect(flawsOf({ release: ['https://proxy.example.com/https://example.org/r/'] })).toEqual([]);
  });

  it.each(['me:50%25@', 'me:p%3Ass@', 'me:%E5%AF%86@', 'me:p%5Bw@'])(
    'accepts a URL of a route with %s',
    (login) => {
      const url = `http://${login}10.0.0.2:7890`;
      expect(flawsOf({ route: { mode: 'http-proxy', url } })).toEqual([]);
    },
  );

  it.each([
    ['http-proxy', 'http://1%0.0.0.2:7890'],
    ['http-proxy', 'http://10.0.0.2:78900'],
    ['http-proxy', 'http://me:x@a(b:7890'],
    ['socks5', 'socks5h://1%0.0.0.2:7891'],
    ['socks5', 'socks5h://*:7891'],
    ['socks5', 'socks5h://:7891'],
  ])('rejects a URL of a route with an ambiguous host: %s %s', (mode, url) => {
    expect(flawsOf({ route: { mode, url } })).toEqual(['route.url']);
  });

  it('rejects a URL of a route with an IPv6 address', () => {
    const url = 'http://[fd00::2]:7890';
    expect(flawsOf({ route: { mode: 'http-proxy', url } })).toEqual(['route.url']);
  });
});

describe('the exemptions from the proxy', () => {
  const exempt = (entry: string) =>
    flawsOf({ route: { mode: 'http-proxy', url: 'http://10.0.0.2:7890', no_proxy: [entry] } });

  it.each(['localhost', '.example.com', '*.local', '10.0.0.0/8', '[::1]', 'fd00::/8', 'host:8080'])(
    'may be %s',
    (entry) => {
      expect(exempt(entry)).toEqual([]);
    },
  );

  it.each(['', 'a b', 'a,b', 'a\nb', 'a"b', '$(id)', 'a;b'])('may not be %j', (entry) => {
    expect(exempt(entry)).toEqual(['route.no_proxy.0']);
  });

  // nft rejects all rules of the redirect for one invalid range.
  it.each([
    ...['10.0.0.0/99', '10.0.0.0/', '/8', '/', '10.0.0/8', 'fd00::/129', 'example.com/8'],
    ...['::ffff:1.2.3.4', '::ffff:1.2.3.4/96', '10.0.0.0/8/8', '[::1]/128', '10.0.0.0/08'],
  ])('may not be the invalid range %s', (entry) => {
    expect(exempt(entry)).toEqual(['route.no_proxy.0']);
    const variables = { HTTP_PROXY: 'http://10.0.0.2:7890', NO_PROXY: `localhost,${entry}` };
    expect(flawsOf({ variables })).toEqual(['variables.NO_PROXY']);
  });
});

describe('a mirror of a registry', () => {
  const mirror = (host: string) =>
    flawsOf({ mirrors: { registries: { [host]: 'https://mirror.example/' } } });

  it.each(['docker.io', 'ghcr.io', 'localhost:5000', '10.0.0.2:5000'])('may be for %s', (host) => {
    expect(mirror(host)).toEqual([]);
  });

  it('may be one of up to four', () => {
    const list = (count: number) =>
      flawsOf({ mirrors: { registries: { 'docker.io': Array(count).fill('https://m.example') } } });
    expect([list(1), list(4)]).toEqual([[], []]);
    expect([list(0), list(5)].flat()).not.toEqual([]);
  });

  it.each([
    ...['', 'https://docker.io', 'docker.io/library', 'a b', '../etc', 'Docker.io', 'x:y'],
    ...['a..b', 'docker.io:99999', '10.1', 'a-.example.com'],
  ])('may not be for %j', (host) => {
    expect(mirror(host)).toEqual([`mirrors.registries.${host}`]);
  });
});

describe('a mirror of models', () => {
  const mirror = (models: string) => flawsOf({ mirrors: { models } });

  it.each(['mirror.example', 'http://10.0.0.2:5000/', 'https://mirror.example/library'])(
    'may be %s',
    (url) => {
      expect(mirror(url)).toEqual([]);
    },
  );

  it.each(['a..b', 'mirror.example:99999', '10.1', 'a-.example.com', 'ftp://mirror.example'])(
    'may not be %s',
    (url) => {
      expect(mirror(url)).toEqual(['mirrors.models']);
    },
  );
});

describe('an SSH key', () => {
  const login = (line: string) => flawsOf({ admin: { ssh_keys: [line] } });

  it.each([
    key,
    `${key} me@laptop`,
    `${key} Wohnzimmer-Rechner von José 🗝`,
    'sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAA token',
  ])('may be %s', (line) => {
    expect(login(line)).toEqual([]);
  });

  it.each([
    ['two lines', `${key}\n${key}`],
    ['options before it', `command="reboot" ${key}`],
    ['an escape sequence in its comment', `${key} \u001b[2J`],
    ['a type that OpenSSH no longer supports', 'ssh-dss AAAAB3NzaC1kc3MAAACB'],
    ['a file name', '~/.ssh/id_ed25519.pub'],
  ])('may not have %s', (_what, line) => {
    expect(login(line)).toEqual(['admin.ssh_keys.0']);
  });
});

describe('a host name', () => {
  it.each(['chat.example.com', 'a.io', 'xn--fiqs8s.example', '1.2.example.org'])(
    'may be %s',
    (ui) => {
      expect(flawsOf({ hosts: { ui } })).toEqual([]);
    },
  );

  it.each([
    'localhost',
    '10.0.0.2',
    'Chat.example.com',
    '-a.example.com',
    'a..b.com',
    'a.b.com.',
    'a b.com',
    'a.com;b',
    'proxy.local',
  ])('may not be %s', (ui) => {
    expect(flawsOf({ hosts: { ui } })).toEqual(['hosts.ui']);
  });
});

describe('the name of the administrator', () => {
  const named = (user: string) => flawsOf({ admin: { ssh_keys: [key], user } });

  it.each(['ops', 'admin', 'debian', 'ubuntu', 'a', 'web-1', 'rooty'])('may be %s', (user) => {
    expect(named(user)).toEqual([]);
  });

  it.each([
    ...['root', 'daemon', 'www-data', 'nobody', 'sudo', 'docker', 'systemd-network', '_apt'],
    ...['', 'Ops', '1st', 'a b', 'a'.repeat(33), 'me$', '../x'],
  ])('may not be %j', (user) => {
    expect(named(user)).toEqual(['admin.user']);
  });
});

describe('an e-mail address', () => {
  const withEmail = (email: string) => flawsOf({ admin: { ssh_keys: [key], email } });

  it.each([
    'me@example.com',
    'Me.Too+landfall@mail.example.co.uk',
    'a_b-c@xn--fiqs8s.example',
    '1@a.io',
  ])('may be %s', (email) => {
    expect(withEmail(email)).toEqual([]);
  });

  it.each([
    ['a quote, which environment files do not support', "o'brien@example.com"],
    ['a leading dash, which lego parses as an option', '-x@example.com'],
    ['a leading dot', '.x@example.com'],
    ['a trailing dot', 'x.@example.com'],
    ['two dots', 'a..b@example.com'],
    ['a display name', 'Me <me@example.com>'],
    ['two addresses', 'a@example.com,b@example.com'],
    ['a line break', 'me@example.com\n'],
    ['letters beyond ASCII', 'josé@example.com'],
    ['no domain', 'me@localhost'],
    ['an address as its domain', 'me@[10.0.0.1]'],
    ['a label that ends in a dash', 'me@example-.com'],
    ['a long local part', `${'a'.repeat(65)}@example.com`],
    ['more than the maximum length', `me@${'a.'.repeat(130)}com`],
  ])('rejects an e-mail address with %s', (_what, email) => {
    expect(withEmail(email)).toEqual(['admin.email']);
  });
});

describe('the time for restarts after upgrades', () => {
  const withTime = (reboot: string) => siteSchema.safeParse({ ...minimal, upgrades: { reboot } });

  it.each(['never', '00:00', '03:30', '23:59'])('may be %s', (reboot) => {
    expect(withTime(reboot).data?.upgrades).toEqual({ reboot });
  });

  // The settings of apt contain the value between quotes and a semicolon.
  it.each(['24:00', '3:30', '03:60', 'now', '', '03:30"; x "'])('may not be %j', (reboot) => {
    expect(withTime(reboot).success).toBe(false);
  });
});

describe('any other value', () => {
  it('rejects any other value as a site without a crash', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(siteSchema.safeParse(value).success).toBe(false);
      }),
    );
  });
});

// Regression: a relay key of the site was sent to a provider with such a name.
it('rejects a provider whose key would have the name of a relay key', () => {
  const providers = { 'relay-key-phone': { base_url: 'https://api.example.com/v1' } };
  expect(flawsOf({ providers })).toEqual(['providers.relay-key-phone']);
});
