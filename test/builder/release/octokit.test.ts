import { describe, expect, it } from 'vitest';
import { type HostedRelease, uploadUrl } from '../../../builder/release/octokit.ts';

const api = new URL('https://api.github.com');
const path = 'repos/o/r/releases/1/assets{?name,label}';
const named = (upload_url: string) => ({ upload_url }) as HostedRelease;

describe('the URL of an upload', () => {
  it('adds the name of the file to the upload URL of the template', () => {
    const url = uploadUrl(named(`https://uploads.github.com/${path}`), api, 'a+b.tar');
    expect(url.href).toBe('https://uploads.github.com/repos/o/r/releases/1/assets?name=a%2Bb.tar');
  });

  it.each([
    'https://uploads.example.com/',
    'http://uploads.github.com/',
    'https://uploads.github.com.example.com/',
    'no url',
  ])('rejects an upload URL on another site: %s', (base) => {
    expect(() => uploadUrl(named(base + path), api, 'a')).toThrow('names another site');
  });
});
