import { inLanguage, type Text } from '#contract/text/language.ts';
import { pullCommand } from './models.ts';
import type { Report } from './report.ts';

/** A command, and what it does. */
export interface NextCommand {
  readonly command: string;
  readonly does: Text;
}

export const setUpBackups: NextCommand = {
  command: 'sudo landfall backup init',
  does: { en: 'set up the backups', zh: '设置备份' },
};

const addDevice: NextCommand = {
  command: 'sudo landfall access add phone',
  does: {
    en: 'let a device reach the chat',
    zh: '让一台设备访问聊天',
  },
};

export const findModel: NextCommand = {
  command: 'sudo landfall doctor',
  does: {
    en: 'the chat has no model: add a provider, or move to a server with 4 GB',
    zh: '聊天没有可用的模型：请接入模型服务商，或换用内存 4 GB 以上的服务器',
  },
};

/** Returns the command that sets a key of a model provider. */
export function setKey(name: string): NextCommand {
  const does = { en: 'set the key of a model provider', zh: '设置模型服务商的密钥' };
  return { command: `sudo landfall secret set ${name}`, does };
}

/** Returns the first steps after the setup of a server. */
export function nextSteps(report: Report): string[] {
  const { addNode, urls, chatSignIn, language } = report;
  const say = (en: string, zh: string) => inLanguage({ en, zh }, language);
  return [
    `sudo landfall credentials      ${say('shows the generated passwords', '显示生成的密码')}`,
    ...openSteps(report),
    addNode !== null &&
      say(
        'run the command above on the first server, or show it again: sudo landfall engines show',
        '在第一台服务器上运行上面的命令；再次显示：sudo landfall engines show',
      ),
    urls[0] && `${say('open', '打开')} ${urls[0].url}`,
    // Reports of older releases do not have the address.
    chatSignIn !== null &&
      `${say('sign in to the chat UI as', '登录聊天界面的账号：')} ${chatSignIn}`,
    `landfall status                ${say('shows the state of the server', '显示服务器的状态')}`,
  ].filter((step) => typeof step === 'string');
}

/** Returns the steps that disappear once they are done, also for the login message. */
export function openSteps(report: Report): string[] {
  const { missingKeys, models, needsNode, needsDevice, needsBackup, language } = report;
  const { lacksModel } = report;
  const say = (en: string, zh: string) => inLanguage({ en, zh }, language);
  const missingModels = models.filter(({ present }) => !present);
  const step = ({ command, does }: NextCommand) =>
    `${say(`${does.en}:`, `${does.zh}：`)} ${command}`;
  return [
    lacksModel && step(findModel),
    needsRecords(report) &&
      say(
        'create the DNS records of the report, unless they exist',
        '添加报告中的 DNS 记录（如果还没有）',
      ),
    ...missingKeys.map((name) => step(setKey(name))),
    ...missingModels.map(
      ({ name }) => `${say('download a model:', '下载模型：')} ${pullCommand(name)}`,
    ),
    needsNode &&
      `${say('make a token for a server with Ollama:', '为运行 Ollama 的服务器生成令牌：')} sudo landfall node token gpu1`,
    needsDevice && step(addDevice),
    needsBackup && step(setUpBackups),
    browsersWarn(report) &&
      say(
        'browsers warn about the certificate: compare its SHA-256 with the report',
        '浏览器会警告证书：请把它的 SHA-256 与报告比对',
      ),
  ].filter((step) => typeof step === 'string');
}

/** An ACME certificate proves that the DNS records exist. */
function needsRecords({ records, certificate }: Report): boolean {
  return records.length > 0 && certificate?.acme !== true;
}

/** Browsers warn about a certificate that is self-signed or from a private or staging authority. */
function browsersWarn({ certificate, urls }: Report): boolean {
  return urls.length > 0 && certificate !== null && !certificate.trusted;
}
