import { inLanguage } from '#contract/text/language.ts';
import { pullCommand } from './models.ts';
import type { Report } from './report.ts';

/** Returns the first steps after the setup of a server. */
export function nextSteps(report: Report): string[] {
  const { urls, chatSignIn, language } = report;
  const say = (en: string, zh: string) => inLanguage({ en, zh }, language);
  return [
    `sudo landfall credentials      ${say('shows the generated passwords', '显示生成的密码')}`,
    needsRecords(report) &&
      say('create the DNS records above unless they exist', '添加上面的 DNS 记录（如果还没有）'),
    urls[0] && `${say('open', '打开')} ${urls[0].url}`,
    // Reports of older releases do not have the address.
    chatSignIn !== null &&
      `${say('sign in to the chat UI as', '登录聊天界面的账号：')} ${chatSignIn}`,
    browsersWarn(report) &&
      say(
        'the browser warns about the certificate: compare its SHA-256 with the one above',
        '浏览器会警告证书：请把它的 SHA-256 与上面的比对',
      ),
    ...report.missingKeys.map(
      (name) =>
        `${setCommand(name)}  ${say('sets the key of a model provider', '设置模型服务商的密钥')}`,
    ),
    ...missingModels(report).map(
      (name) => `${pullCommand(name)}  ${say('downloads a missing model', '下载缺少的模型')}`,
    ),
    `landfall status                ${say('shows the state of the server', '显示服务器的状态')}`,
  ].filter((step) => typeof step === 'string');
}

/** Returns the open steps for the login message. A step disappears once it is done. */
export function openSteps(report: Report): string[] {
  const { warnings, language } = report;
  const say = (en: string, zh: string) => inLanguage({ en, zh }, language);
  const { length } = warnings;
  const count = length === 1 ? '1 warning' : `${length} warnings`;
  return [
    needsRecords(report) &&
      say(
        'create the DNS records that landfall report shows, unless they exist',
        '添加 landfall report 列出的 DNS 记录（如果还没有）',
      ),
    ...report.missingKeys.map(
      (name) =>
        `${say('set the key of a model provider:', '设置模型服务商的密钥：')} ${setCommand(name)}`,
    ),
    ...missingModels(report).map(
      (name) => `${say('download a model:', '下载模型：')} ${pullCommand(name)}`,
    ),
    browsersWarn(report) &&
      say(
        'browsers warn about the certificate: landfall report',
        '浏览器会警告证书：landfall report',
      ),
    length > 0 && say(`read ${count}: landfall report`, `查看 ${length} 条警告：landfall report`),
  ].filter((step) => typeof step === 'string');
}

/** An ACME certificate proves that the DNS records exist. */
function needsRecords({ records, certificate }: Report): boolean {
  return records.length > 0 && certificate?.acme !== true;
}

/** Browsers warn about a certificate that is self-signed or from a private or staging authority. */
function browsersWarn({ certificate }: Report): boolean {
  return certificate !== null && !certificate.trusted;
}

const setCommand = (name: string) => `sudo landfall secret set ${name}`;

function missingModels({ models }: Report): string[] {
  return models.filter(({ present }) => !present).map(({ name }) => name);
}
