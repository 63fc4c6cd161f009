import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { wrapFor } from '#terminal/wrap-for.ts';
import { hasJoined } from '../../nodes/swarm/membership.ts';
import { removeTunnel } from '../../server/access/tunnel.ts';
import { takeChangeLock } from '../../server/host/lock/run-lock.ts';
import { refuseUnconfirmed, unconfirmed } from '../../server/host/undo/undo.ts';
import type { Context } from '../../server/stage/stage.ts';
import { firewallTable } from '../../stages/firewall/public.ts';
import { undoRoute } from '../../stages/route/undo-route.ts';
import { compose } from '../../stages/stack/compose.ts';
import { askFor, askLine } from '../ask-yes.ts';
import { ownFiles, removeOwnUnits } from './own-files.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

interface Options {
  readonly deleteData: boolean;
  readonly yes: boolean;
}

/** Seconds. The chat UI may need a minute to stop. */
const stopSeconds = 1200;
const images = 'landfall.local/*';

/**
 * Removes what Landfall runs and what it needs for that. What protects the server stays: users, SSH with keys
 * only, UFW, security upgrades and the settings of the kernel; Docker stays, too. After an interruption it can be
 * run again until the site is deleted, which happens at the end.
 * @throws LandfallError USAGE on a server of a Swarm; UNCONFIRMED, ALREADY_RUNNING
 */
export async function uninstall(context: Context, options: Options): Promise<void> {
  const { host, site } = context;
  if (site.engines?.swarm || (await hasJoined(host))) throw inSwarm();
  // Its undo would bring back what is removed here.
  for (const name of await unconfirmed(host)) await refuseUnconfirmed(host, name, 'a change');
  console.log(wrapFor(process.stdout, plan(options.deleteData)));
  if (!(await isAccepted(hostname(), options))) return;
  await takeChangeLock(host, console.log);
  await undoRoute(context);
  const down = ['down', '--remove-orphans', ...(options.deleteData ? ['--volumes'] : [])];
  await compose(host, context.releaseFolder, down, { seconds: stopSeconds });
  await removeTunnel(host, {});
  await removeImages(context);
  await removeOwnUnits(host);
  await host.succeeds('nft', ['delete', 'table', ...firewallTable]);
  for (const path of await ownFiles(host, options.deleteData))
    await rm(host.path(path), { recursive: true, force: true });
  // Without our jails it starts with its own, for SSH.
  await host.succeeds('systemctl', ['try-restart', 'fail2ban.service']);
  console.log(wrapFor(process.stdout, farewell(options.deleteData)));
}

function plan(deleteData: boolean): string {
  const data = deleteData
    ? say(
        'Deleted forever: chats, documents, accounts, models, keys, secrets and certificates.',
        '永久删除：聊天记录、文档、账号、模型、密钥、密码和证书。',
      )
    : say(
        'Stays: chats, documents, accounts and models (volumes of Docker), /etc/landfall and /var/lib/landfall.',
        '保留：聊天记录、文档、账号和模型（Docker 卷），以及 /etc/landfall 和 /var/lib/landfall。',
      );
  return [
    say(
      'Removed: all containers, images and networks of Landfall, its services and timers, its firewall table, its bans, and this command.',
      '删除：Landfall 的所有容器、镜像和网络，它的服务和定时任务、防火墙表、封禁规则，以及本命令。',
    ),
    data,
    say(
      'Stays: users, SSH with keys only, UFW, security upgrades, settings of the kernel, Docker.',
      '保留：用户、仅限密钥的 SSH、UFW、安全更新、内核设置、Docker。',
    ),
    say(
      'First: `sudo landfall export FOLDER` or a backup, see leaving.md of the documentation.',
      '请先执行 `sudo landfall export 文件夹` 或备份，参见 Landfall 文档 leaving.md。',
    ),
  ].join('\n');
}

/** Deleted data are asked for by the name of the server: a "y" is typed by habit. */
async function isAccepted(name: string, { deleteData, yes }: Options): Promise<boolean> {
  if (!deleteData)
    return yes || (await askFor('y', say('Uninstall? [y/N] ', '卸载吗？[y/N] '), '--yes'));
  if (!process.stdin.isTTY)
    throw new LandfallError(
      'USAGE',
      inLanguage({ en: 'deleting the data needs a terminal', zh: '删除数据需要在终端中进行' }),
      {
        hint: {
          en: 'Run it on a terminal: it asks for the name of this server.',
          zh: '在终端中运行：它会要求输入这台服务器的名称。',
        },
      },
    );
  const question = say(
    `Type the name of this server, ${name}, to delete its data: `,
    `输入这台服务器的名称 ${name} 以删除数据：`,
  );
  return (await askLine(question)).trim() === name;
}

async function removeImages({ host }: Context): Promise<void> {
  const { stdout } = await host.run('docker', [
    ...['image', 'ls', '--quiet', '--no-trunc', '--filter', `reference=${images}`],
  ]);
  const ids = [...new Set(stdout.split('\n').filter(Boolean))];
  if (ids.length > 0) await host.run('docker', ['image', 'rm', '--force', ...ids]);
}

function farewell(deleteData: boolean): string {
  const next = deleteData
    ? say(
        'Revoke the keys of hosted providers and of the bucket, and delete the DNS records and the backups.',
        '请吊销模型服务商和存储桶的密钥，并删除 DNS 记录和备份。',
      )
    : say(
        'To delete the data as well: sudo docker volume ls, and sudo rm -r /etc/landfall /var/lib/landfall.',
        '如需同时删除数据：sudo docker volume ls，以及 sudo rm -r /etc/landfall /var/lib/landfall。',
      );
  return `${say('Landfall has been removed.', 'Landfall 已卸载。')}\n${next}`;
}

function inSwarm(): LandfallError {
  return new LandfallError(
    'USAGE',
    inLanguage({ en: 'this server is part of a Swarm', zh: '这台服务器属于一个 Swarm' }),
    {
      hint: {
        en: 'Remove its nodes first, or leave: sudo landfall node.',
        zh: '先移除它的节点，或退出：sudo landfall node。',
      },
    },
  );
}
