import { alertName } from '#contract/site/alerts/targets.ts';
import { targetText } from '#contract/site/backup/targets.ts';
import type { Site } from '#contract/site/site.ts';
import { updateMode } from '#contract/site/updates.ts';
import { say } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { safeUrl } from '#http/safe-url.ts';

/** A label with a value. */
export type Row = readonly [label: string, value: string];

/** What leaves the server. */
export function contactRows({
  providers,
  hub,
  report,
  alerts,
  backup,
  restore,
  engines,
}: Site): Row[] {
  const label = say('sends to', '发送到');
  const row = (what: string, where: string): Row => [label, `${what}: ${where}`];
  return [
    ...Object.entries(providers).map(([name, { base_url }]) =>
      row(say(`chats of the provider ${name}`, `模型服务商 ${name} 的对话`), shownUrl(base_url)),
    ),
    ...(hub ? [row(say('chats of the hub', '模型库的对话'), shownUrl(hub.base_url))] : []),
    ...(engines?.nodes ?? []).map(({ name, url }) =>
      row(say(`chats of the node ${name}`, `推理节点 ${name} 的对话`), shownUrl(url)),
    ),
    ...(report?.webhook ? [row(say('the report', '报告'), shownUrl(report.webhook))] : []),
    ...alerts.map((target) =>
      row(say('alerts', '告警'), 'host' in target ? target.host : alertName(target)),
    ),
    ...(backup?.to ?? []).map((target) => row(say('backups', '备份'), targetText(target))),
    ...(restore ? [[say('restores', '恢复'), targetText(restore.from)] as const] : []),
  ];
}

/** What people ask most about such a server. */
export function notDoneRows(site: Site): Row[] {
  const { providers, hub, engines, backup, updates } = site;
  const isLocal = Object.keys(providers).length === 0 && !hub && !engines?.nodes?.length;
  const mode = updateMode(site);
  const sentences = [
    say('accept connections on other ports', '接受其他端口的连接'),
    say(
      'send statistics about its use to the authors of Landfall, or need an account with them',
      '向 Landfall 的作者发送使用数据；也不需要账号',
    ),
    ...(isLocal
      ? [
          say(
            'send chats to another computer: its own models answer',
            '把对话发送到其他电脑：由它自己的模型回答',
          ),
        ]
      : []),
    ...(updates.channels.length === 0
      ? [say('look for new releases', '检查新版本')]
      : mode === 'install'
        ? []
        : [say('install new releases on its own: it announces them', '自动安装新版本：只通知')]),
    ...(backup ? [] : [say('back up its chats to another computer', '把对话备份到其他电脑')]),
  ];
  return sentences.map((sentence): Row => [say('does not', '不会'), sentence]);
}

/** Returns a URL without what may be secret. */
export function shownUrl(text: string): string {
  return URL.canParse(text) ? plainLine(safeUrl(new URL(text))) : '"…"';
}
