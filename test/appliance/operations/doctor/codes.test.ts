import { describe, expect, it } from 'vitest';
import {
  causesOf,
  type FindingCode,
  findingCodes,
  remedyFor,
} from '../../../../appliance/operations/doctor/codes.ts';
import { pages } from '../../../../appliance/operations/doctor/pages.ts';

describe('the codes of findings', () => {
  it('name as causes only codes above them, so that the first finding is a cause', () => {
    for (const [index, code] of findingCodes.entries()) {
      for (const cause of causesOf(code)) {
        expect({
          code,
          cause,
          above: findingCodes.slice(0, index).includes(cause as never),
        }).toEqual({ code, cause, above: true });
      }
    }
  });

  it('explain a pending stage only by what it depends on', () => {
    const broken = 'GATEWAY_SETTINGS';
    expect(causesOf('STAGE_PENDING', 'stack')).toContain(broken);
    expect(causesOf('STAGE_PENDING', 'ssh')).not.toContain(broken);
    expect(causesOf('STAGE_PENDING', 'ssh')).toContain('PACKAGES_BROKEN');
  });

  it.each(['en', 'zh'] as const)(
    'lists every code of a finding in the page with its remedy, in the order of the codes: %s',
    (language) => {
      const { findings } = pages[language];
      expect(Object.keys(findings)).toEqual(findingCodes);
      for (const [code, { meaning, remedy }] of Object.entries(findings)) {
        expect(meaning, code).toMatch(/^\S.*[.。]$/);
        expect(remedy, code).toMatch(language === 'en' ? /^[A-Z`].*\.$/ : /^\S.*[.。]$/);
        expect(remedy, code).not.toMatch(/\]\(|\*\*/);
      }
    },
  );

  it.each<[FindingCode, string]>([
    ['COMPONENT_DOWN', 'this-one'],
    ['MODEL_PULL_TIMEOUT', 'this-one'],
    ['MODEL_MISSING', 'this-one'],
    ['PROVIDER_KEY_MISSING', 'THIS_ONE_API_KEY'],
    ['PROVIDER_KEY_REFUSED', 'THIS_ONE_API_KEY'],
    ['PORT_CLOSED', 'this-one'],
    ['SERVICE_FAILED', 'this-one'],
  ])('names the subject of a finding in the remedies of both pages: %s', (code, text) => {
    expect(remedyFor(code, 'this-one', 'en')).toContain(text);
    expect(remedyFor(code, 'this-one', 'zh')).toContain(text);
  });
});

/** The conditions of SPEC 7, with the finding, or the symptom and words of its remedy. */
const conditions: ReadonlyArray<readonly [string, FindingCode | undefined, string?, RegExp?]> = [
  ['provider host unreachable directly', 'PROVIDER_UNREACHABLE'],
  ['probe through proxy returns status other than 200', 'PROXY_FAILS'],
  ['container cannot resolve host.docker.internal on Linux', 'HOST_NAME_IN_CONTAINER'],
  ['container without proxy variables', 'CONTAINER_WITHOUT_PROXY'],
  ['wrongly resolved overseas domain (DNS pollution)', 'NAME_POLLUTED'],
  ['TLS errors with self-built proxy or relay', 'TLS_UNTRUSTED'],
  [
    'reverse proxy 502 Bad Gateway',
    'GATEWAY_BAD_GATEWAY',
    'browser-502',
    /3000:8080.+127\.0\.0\.1:3000.+error log/s,
  ],
  ['reverse proxy 403', 'GATEWAY_FORBIDDEN', 'browser-403', /Use the domain/],
  ['host port already used', 'PORT_USED'],
  [
    'web UI shows engine connection failure',
    'UI_WITHOUT_ENGINE',
    'chat-no-model',
    /http:\/\/engine:11434/,
  ],
  ['model pull timeout', 'MODEL_PULL_TIMEOUT'],
  [
    'editor verification code not received',
    undefined,
    'editor-code',
    /spam.+international mail provider/s,
  ],
  [
    'editor AI reply empty or "Network Error"',
    undefined,
    'editor-ai-reply',
    /API domains.+wildcard/s,
  ],
  [
    'editor code-hosting login spins',
    undefined,
    'editor-login-spins',
    /http\.proxy.+loopback.+email/s,
  ],
  ['locked out of SSH', 'SSH_LOCKOUT_RISK', 'ssh-locked-out', /Before you edit sshd_config/],
];

describe('the conditions of SPEC 7', () => {
  it.each(conditions)(
    'covers a condition of SPEC 7 with a finding or a symptom: %s',
    (_condition, code, name, remedy = /^$/) => {
      expect(code ?? name).toBeDefined();
      if (code) expect(findingCodes).toContain(code);
      if (name === undefined) return;
      expect(pages.en.symptoms.find((each) => each.name === name)?.text).toMatch(remedy);
    },
  );
});

describe('the symptoms', () => {
  it('explains each symptom with causes and remedies in both languages, under the same names', () => {
    const names = pages.en.symptoms.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(9);
    expect(pages.zh.symptoms.map(({ name }) => name)).toEqual(names);
    for (const { name, title, text } of [...pages.en.symptoms, ...pages.zh.symptoms]) {
      expect(title, name).not.toBe('');
      expect(text, name).toMatch(/^- [\s\S]+[.。]$/);
      expect(text, name).not.toMatch(/\*\*|^#/m);
    }
  });
});
