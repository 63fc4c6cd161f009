import { describe, expect, it } from 'vitest';
import { languages } from '#contract/text/language.ts';
import { parseSite } from '#explain/parse-site.ts';
import { parseYamlText } from '#yaml/parse.ts';
import { type Answers, completeAnswers } from '../../../../../builder/commands/init/answers.ts';
import { siteTemplate } from '../../../../../builder/commands/init/site-template.ts';
import { editSite } from '../../../../../builder/page/app/form/edit-site.ts';
import { judgeSite } from '../../../../../builder/page/app/form/judge-site.ts';

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 me';

/** What people answer to the questions of `landfall init`. */
const answers: Readonly<Record<string, Answers>> = {
  fewest: { releaseWay: 'push', sshKeys: [key], tls: 'internal' },
  most: {
    ...{ releaseWay: 'url', releaseUrl: 'https://downloads.example.com/r/', sshKeys: [key] },
    ...{ uiHost: 'chat.example.com', tls: 'acme', acceptTerms: true, email: 'me@example.com' },
    ...{ routeWay: 'proxy', proxyUrl: 'http://10.0.0.2:7890', mirrorsWay: 'china-debian' },
    ...{ timezone: 'Asia/Shanghai', providers: ['openai', 'anthropic'] },
    ...{ frontEnds: ['chat', 'lobe'], localModels: false, memory: '4', architectures: ['arm64'] },
  },
};

const texts = Object.entries(answers).flatMap(([name, given]) =>
  languages.map((language) => ({
    name,
    language,
    text: siteTemplate({ ...completeAnswers(given, undefined), language }),
  })),
);

describe.each(texts)('a site of landfall init, $name in $language', ({ text }) => {
  it('becomes the same site in the page', () => {
    const { site, problems } = judgeSite(text, false);
    expect(problems).toEqual([]);
    expect(site).toEqual(parseSite(parseYamlText(text, 'site.yaml')));
  });

  it('keeps its text after an edit in the form that is taken back', () => {
    const edited = editSite(text, ['admin', 'user'], 'ada');
    expect(edited).not.toBe(text);
    expect(editSite(edited, ['admin', 'user'], 'ops')).toBe(text);
    const opened = editSite(text, ['socks', 'port'], 1081);
    expect(editSite(opened, ['socks', 'port'], undefined)).toBe(text);
  });
});
