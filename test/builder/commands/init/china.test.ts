import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { mirrorPresets } from '#contract/mirror-presets.ts';
import { checkSite } from '#contract/site/rules.ts';
import { siteSchema } from '#contract/site/site.ts';
import type { Language } from '#contract/text/language.ts';
import { type Answers, completeAnswers } from '../../../../builder/commands/init/answers.ts';
import { applianceFiles } from '../../../../builder/commands/init/files.ts';
import type { Prompts } from '../../../../builder/commands/init/prompts.ts';
import { networkQuestions } from '../../../../builder/commands/init/questions/network.ts';
import { siteTemplate } from '../../../../builder/commands/init/site-template.ts';
import { chineseTexts, englishTexts } from '../../../../builder/commands/init/texts.ts';

/** Answers the question about mirrors with a preset, and returns what it said about it. */
async function saidFor(given: Answers, dead: readonly string[]) {
  const said: string[] = [];
  const prompts = {
    select: async () => 'china-debian',
    note: (text: string) => said.push(text),
    warn: (text: string) => said.push(text),
  } as unknown as Prompts;
  const asked: string[] = [];
  const checkMirrors = async (name: string) => {
    asked.push(name);
    return dead;
  };
  const questions = networkQuestions(() => false, checkMirrors);
  const question = questions.find(({ name }) => name === 'mirrorsWay');
  const reply = await question?.ask(prompts, given, {});
  return { reply, said, asked };
}

describe('a server in mainland China', () => {
  it('gets mirrors that were tested when the preset was chosen', async () => {
    const { reply, said, asked } = await saidFor({}, []);
    expect(reply).toEqual({ mirrorsWay: 'china-debian' });
    expect(asked).toEqual(['china-debian']);
    expect(said).toEqual([englishTexts.testingMirrors, englishTexts.mirrorsWork]);
  });

  it('names each dead mirror, and the ICP filing of a domain', async () => {
    const { said } = await saidFor({ uiHost: 'chat.example.com' }, ['mirrors.npm']);
    expect(said[1]).toContain('mirrors.npm');
    expect(said[2]).toContain('备案');
  });

  it('writes the mirrors and the time zone into the site of a server in mainland China', () => {
    const given: Answers = {
      ...{ releaseWay: 'push', sshKeys: ['ssh-ed25519 AAAA'], tls: 'internal' },
      ...{ mirrorsWay: 'china-ubuntu', timezone: 'Asia/Shanghai' },
    };
    const site = siteSchema.parse(parse(siteTemplate(completeAnswers(given, undefined))));
    expect(site.mirrors).toEqual(mirrorPresets['china-ubuntu'].mirrors);
    expect(site.timezone).toBe('Asia/Shanghai');
    expect(checkSite(site)).toEqual([]);
  });

  it('comments the site in the language of the questions', () => {
    const given: Answers = { releaseWay: 'push', sshKeys: ['ssh-ed25519 AAAA'], tls: 'internal' };
    const answers = { ...completeAnswers(given, undefined), frontEnds: ['chat' as const] };
    const comments = (language: Language) =>
      siteTemplate({ ...answers, language }).match(/^# [^ a-z].*/gm) ?? [];
    expect(comments('en').join('')).not.toMatch(/[\u4e00-\u9fff]/);
    expect(comments('zh').length).toBeGreaterThan(10);
    for (const line of comments('zh')) expect(line).toMatch(/[\u4e00-\u9fff]/);
  });

  it('comments the appliance in the language of the questions, and changes nothing else', async () => {
    const given: Answers = {
      releaseWay: 'push',
      sshKeys: ['ssh-ed25519 AAAA'],
      routeWay: 'client',
    };
    const answers = completeAnswers({ ...given, tls: 'internal' }, undefined);
    const textIn = async (language: Language) =>
      (await applianceFiles({ ...answers, language }))[0]?.text ?? '';
    const comments = (await textIn('zh')).match(/(?<=# ).+$/gm) ?? [];
    expect(comments.length).toBeGreaterThan(15);
    const english = comments.filter((comment) => !/\p{Script=Han}/u.test(comment));
    expect(english).toEqual([expect.stringContaining('yaml-language-server')]);
    expect(parse(await textIn('zh'))).toEqual(parse(await textIn('en')));
  });
});

describe('the note about the ICP filing', () => {
  it('names the certificate that needs no domain', () => {
    expect(englishTexts.filing).toMatch(/IP address.*certificate.*no warning/);
    expect(chineseTexts.filing).toMatch(/IP 地址签发证书，浏览器不会警告/);
  });
});

describe('the Chinese questions', () => {
  it('prints all Chinese questions in Chinese', () => {
    for (const [name, text] of Object.entries(chineseTexts)) {
      const shown =
        typeof text === 'function'
          ? String((text as (...a: string[]) => string)('a', 'b', 'c'))
          : JSON.stringify(text);
      expect(shown, name).toMatch(/[\u4e00-\u9fff]/);
    }
  });
});
