import { describe, expect, it } from 'vitest';
import { editSite } from '../../../../../builder/page/app/form/edit-site.ts';

const text = `# Mine.
release:
  - https://downloads.example.com/landfall/
admin:
  # Ada.
  ssh_keys:
    - ssh-ed25519 AAAA ada@laptop
`;

describe('editSite', () => {
  it('changes a field and keeps comments', () => {
    expect(editSite(text, ['admin', 'user'], 'ada')).toBe(`${text}  user: ada\n`);
  });

  it('puts a new section in the order of the schema, with its comment', () => {
    const before = text.replace('# Mine.\n', '').concat('models: []\n');
    expect(editSite(before, ['hosts', 'ui'], 'chat.example.com')).toMatch(
      /laptop\n\n# Host names of the components: .*\n(?:# .*\n)*hosts:\n {2}ui: chat\.example\.com\nmodels: \[\]\n$/,
    );
  });

  it('removes a field, and a section that becomes empty', () => {
    const site = `${text}dns:\n  nameserver:\n    - 192.0.2.53\n`;
    expect(editSite(site, ['dns', 'nameserver'], undefined)).toBe(text);
    expect(editSite(site, ['socks', 'port'], undefined)).toBe(site);
  });

  it('replaces an empty section and an empty file', () => {
    expect(editSite('hosts:\n', ['hosts', 'ui'], 'a.example')).toBe('hosts:\n  ui: a.example\n');
    expect(editSite('', ['models'], [])).toMatch(/\nmodels: \[\]\n$/);
  });

  it('writes a text that looks like a number in quotes', () => {
    expect(editSite('', ['admin', 'user'], '0123')).toContain('user: "0123"');
  });

  it('changes nothing but the field: no spaces in lists, no indentation, no line breaks', () => {
    const site = `release: ["https://downloads.example.com/a/",
  "https://downloads.example.com/b/"]   # two
admin:
    user: ada
    ssh_keys:
    - ssh-ed25519 AAAA  # Ada.

tls: {mode: acme, accept_terms: true}
models: [ 'qwen3:8b' ]
# The end.
`;
    const edited = editSite(site, ['hosts', 'ui'], 'a.example');
    expect(edited.replace(/\n# Host names[\s\S]*?\nhosts:\n {2}ui: a\.example\n/, '')).toBe(site);
    expect(editSite(site, ['tls', 'mode'], 'internal')).toBe(
      site.replace('{mode: acme', '{mode: internal'),
    );
    expect(editSite(site, ['models'], undefined)).toBe(site.replace(/models: .*\n/, ''));
  });

  it('leaves a text that is not YAML as it is', () => {
    expect(editSite('a: [', ['hosts', 'ui'], 'a.example')).toBe('a: [');
  });
});
