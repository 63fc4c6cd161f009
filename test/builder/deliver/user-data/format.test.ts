import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { formats, providers } from '../../../../builder/deliver/user-data/providers.ts';
import { pack, renderUserData } from '../../../../builder/deliver/user-data/render.ts';
import { inputsWith, rendered } from './rendered.ts';

const { text } = rendered();
const packed = formats.filter((format) => format !== 'shell');

describe('a user-data format', () => {
  it.each(packed)('%s is deterministic', (format) => {
    expect(pack(text, format)).toEqual(pack(text, format));
  });

  it('gzip contains the text, without a time and a file name', () => {
    const bytes = Buffer.from(pack(text, 'gzip'));
    expect(gunzipSync(bytes).toString()).toBe(text);
    expect(bytes.readUInt32LE(4)).toBe(0);
    expect(bytes[9]).toBe(255);
    expect(bytes.length).toBeLessThan(text.length / 2);
  });

  it('multipart has one part with the text, and a boundary that is not in the text', () => {
    const message = Buffer.from(pack(text, 'multipart')).toString();
    const [, boundary = ''] = /boundary="([^"]+)"/.exec(message) ?? [];
    expect(text).not.toContain(boundary);
    const [head = '', part = '', tail] = message.split(`--${boundary}`);
    expect(head).toMatch(/^Content-Type: multipart\/mixed; .*\nMIME-Version: 1\.0\n\n$/);
    expect(part).toContain('\nContent-Type: text/cloud-config;');
    expect(part.slice(part.indexOf('\n\n') + 2)).toBe(`${text}\n`);
    expect(tail).toBe('--\n');
  });

  it.each(['digitalocean', 'hetzner'])(
    'gzip is rejected for %s, which accepts text only',
    (provider) => {
      expect(() => renderUserData(inputsWith({ provider, format: 'gzip' }))).toThrow(
        expect.objectContaining({ code: 'USER_DATA_PROVIDER' }),
      );
    },
  );

  it('rejects a user-data format that the provider does not support', () => {
    for (const [provider, { limits }] of Object.entries(providers)) {
      for (const format of formats) {
        const render = () => renderUserData(inputsWith({ provider, format }));
        if (limits[format] !== undefined) expect(render).not.toThrow();
        else expect(render).toThrow(expect.objectContaining({ code: 'USER_DATA_PROVIDER' }));
      }
    }
  });
});
