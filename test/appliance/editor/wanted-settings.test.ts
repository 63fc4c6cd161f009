import { describe, expect, it } from 'vitest';
import { editors, otherEditor } from '#editor/editors.ts';
import { parseSettings } from '#editor/jsonc/parse-settings.ts';
import { wantedSettings } from '#editor/wanted-settings.ts';

const empty = parseSettings('{}', 'settings.json');
const wanted = { editor: otherEditor, proxy: 'http://p:1', noProxy: [], strictSsl: true };

describe('the settings of an editor', () => {
  it.each(editors)('have no window for $name without one', (editor) => {
    const keys = wantedSettings({ ...wanted, editor }, empty).map(([key]) => key);
    expect(keys.includes('window.titleBarStyle')).toBe(editor.kind === 'desktop');
    expect(keys).not.toContain('http.proxyStrictSSL');
  });

  it.each(['10.0.0.0/8', '*.example.com', 'http://a.example', 'a b', ''])(
    'reject an exemption that editors ignore: %j',
    (host) => {
      expect(() => wantedSettings({ ...wanted, noProxy: [host] }, empty)).toThrow(
        expect.objectContaining({ code: 'USAGE' }),
      );
    },
  );

  it('reject an http.noProxy that is not a list', () => {
    const settings = parseSettings('{"http.noProxy": "a"}', 'settings.json');
    expect(() => wantedSettings({ ...wanted, noProxy: ['b.example'] }, settings)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    );
  });
});
