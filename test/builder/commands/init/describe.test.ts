import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setLanguage } from '#contract/text/language.ts';
import {
  describeOwnRelease,
  describePackagedRelease,
} from '../../../../builder/commands/init/describe.ts';

beforeEach(() => setLanguage('zh'));
afterEach(() => setLanguage('en'));

const answers = {
  dnsProvider: undefined,
  frontEnds: [],
  importedProxy: 'http://me:secret@10.0.0.2:7890',
  releaseUrls: ['https://downloads.example.com/'],
  route: 'client',
  user: 'ops',
};
const place = { cwd: '/home/me', folder: '/home/me/mine' };

/** Returns the words besides commands, names of files and URLs. */
function proseOf(text: string): string {
  return text
    .replaceAll(/https?:\/\/\S+|(?:landfall|ssh|cd|sudo) [ -~]*|[\w./-]+\.(?:yaml|lock)/g, '')
    .replaceAll(/SSH|user-data|dist|--[a-z-]+/g, '');
}

describe('what init prints at its end, in Chinese', () => {
  it.each([
    ['a release with a URL', answers],
    ['a release that is pushed', { ...answers, releaseUrls: ['push'], route: undefined }],
  ])('lists the steps to %s without English', (_case, given) => {
    const text = describeOwnRelease({ ...place, answers: given, reason: undefined });
    expect(text).toContain('接下来依次运行：\n\n  cd mine\n  landfall keygen ');
    expect(proseOf(text)).not.toMatch(/[a-z]{3}/);
  });

  it('names the credentials of a DNS provider', () => {
    const given = { ...answers, dnsProvider: 'desec' };
    const text = describeOwnRelease({ ...place, answers: given, reason: undefined });
    expect(text).toContain(
      'desec 的凭据；之后服务器会申请证书：\n  sudo landfall secret set DESEC_TOKEN\n',
    );
  });

  it('names the key of a published release', () => {
    const release = { product: 'landfall', version: '1.2.0', keyId: 'ab'.repeat(32) };
    const text = describePackagedRelease({ ...place, answers }, release as never);
    expect(text).toContain('landfall 1.2.0，由项目发布并签名');
    expect(text).toContain('请与项目在其他渠道');
  });
});
