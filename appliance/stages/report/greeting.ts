import { inLanguage, type Language } from '#contract/text/language.ts';
import { defaultColumns, wrap } from '#contract/text/wrap.ts';
import { openSteps } from './next-steps.ts';
import type { Report } from './report.ts';

/** Limits that keep the greeting within one screen. */
const maxUrls = 4;
const maxSteps = 5;

/** Renders the login message of a server that is set up. */
export function renderGreeting(report: Report): string {
  const { product, release, urls, chatSignIn, language } = report;
  const lines = [
    inLanguage(
      {
        en: `${product} ${release} is installed here.`,
        zh: `这台服务器已安装 ${product} ${release}。`,
      },
      language,
    ),
    ...urls.slice(0, maxUrls).map(({ part, url }) => `${url}  (${part})`),
    `${label.status[language]} landfall status`,
    ...(chatSignIn === null ? [] : [`${label.signIn[language]} ${chatSignIn}`]),
    `${label.passwords[language]} sudo landfall credentials`,
    `${label.report[language]} landfall report`,
    ...stepLines([...openSteps(report), ...warningStep(report)], language),
  ];
  return `\n${lines.map((line) => `  ${line}`.trimEnd()).join('\n')}\n\n`;
}

/** Padded to one width in each language. */
const label = {
  status: { en: 'Status:      ', zh: '状态：    ' },
  signIn: { en: 'Chat sign-in:', zh: '聊天账号：' },
  passwords: { en: 'Passwords:   ', zh: '密码：    ' },
  report: { en: 'Report:      ', zh: '报告：    ' },
};

function warningStep({ warnings: { length }, language }: Report): string[] {
  if (length === 0) return [];
  const count = length === 1 ? '1 warning' : `${length} warnings`;
  const text = {
    en: `read ${count}: landfall report`,
    zh: `查看 ${length} 条警告：landfall report`,
  };
  return [inLanguage(text, language)];
}

function stepLines(steps: readonly string[], language: Language): string[] {
  if (steps.length === 0) return [];
  // The last line counts the steps that do not fit.
  const shown = steps.length > maxSteps ? steps.slice(0, maxSteps - 1) : steps;
  const more = steps.length - shown.length;
  return [
    '',
    inLanguage({ en: 'Next steps:', zh: '后续步骤：' }, language),
    ...shown.flatMap((step) => wrap(`  ${step}`, defaultColumns - 3)),
    ...(more > 0
      ? [
          inLanguage(
            { en: `  and ${more} more: landfall report`, zh: `  另有 ${more} 项：landfall report` },
            language,
          ),
        ]
      : []),
  ];
}

/** Returns the last lines of a first boot, for people who follow it on the console of the provider. */
export function consoleEnding({ product, release, urls, tunnels, ...report }: Report): string[] {
  const [url] = urls;
  const [tunnel] = tunnels;
  const open = url
    ? `${url.url}  (${url.part})`
    : tunnel && `${tunnel.url}, with ${tunnel.command}`;
  const { chatSignIn, ssh } = report;
  return [
    '',
    `${product} ${release} is ready.`,
    ...(open === undefined ? [] : [`Open:        ${open}`]),
    ...(chatSignIn === null ? [] : [`Sign in as:  ${chatSignIn}`]),
    'Password:    sudo landfall credentials  (after the login)',
    `Log in:      ${ssh.command}`,
    '',
  ];
}
