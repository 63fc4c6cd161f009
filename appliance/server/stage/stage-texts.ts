import { inLanguage, type Language, type Text } from '#contract/text/language.ts';
import type { Stage, StageName } from './stage.ts';

/** What each stage does, as users see it. */
export const stageTexts: Readonly<Record<StageName, Text>> = {
  preflight: { en: 'Check the server', zh: '检查服务器' },
  route: { en: 'Check the network route', zh: '确认出网线路' },
  users: { en: 'Create the account', zh: '创建账户' },
  ssh: { en: 'Harden remote login', zh: '加固远程登录' },
  firewall: { en: 'Set up the firewall', zh: '设置防火墙' },
  ban: { en: 'Block brute-force attacks', zh: '防止暴力破解' },
  kernel: { en: 'Harden the system', zh: '加固系统' },
  runtime: { en: 'Install the container runtime', zh: '安装容器引擎' },
  images: { en: 'Load the container images', zh: '载入容器镜像' },
  secrets: { en: 'Generate the passwords', zh: '生成密码' },
  stack: { en: 'Start the services', zh: '启动服务' },
  tls: { en: 'Get the certificate', zh: '获取证书' },
  models: { en: 'Download the models', zh: '下载模型' },
  smoke: { en: 'Test everything', zh: '全面测试' },
  report: { en: 'Write the report', zh: '生成报告' },
};

/** Returns the title of a stage, which begins with its name. @param language default: that of this process */
export function titleOf(
  { name, title }: Pick<Stage, 'name' | 'title'>,
  language?: Language,
): string {
  return inLanguage({ en: title, zh: `${name}: ${stageTexts[name].zh}` }, language);
}
