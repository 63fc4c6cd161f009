import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { storedMembership } from '../../nodes/swarm/membership.ts';
import { withChangeLock } from '../../server/host/lock/run-lock.ts';
import type { Context } from '../../server/stage/stage.ts';
import { askFor } from '../ask-yes.ts';
import type { ChangeFlags } from '../command.ts';
import { undo } from './join.ts';

const say = (en: string, zh: string) => inLanguage({ en, zh });

/** Makes this node leave its Swarm; it then runs Ollama alone. @throws LandfallError USAGE */
export async function leaveByHand(context: Context, { yes = false }: ChangeFlags): Promise<void> {
  const { host } = context;
  const membership = await storedMembership.read(host);
  if (!membership) {
    throw new LandfallError(
      'USAGE',
      inLanguage({ en: 'this server is no node of a Swarm', zh: '这台服务器不是 Swarm 的节点' }),
      {
        hint: {
          en: 'On the first server, to take a node out: sudo landfall node remove <name>',
          zh: '要移除节点，请在第一台服务器上运行：sudo landfall node remove <名称>',
        },
      },
    );
  }
  const question = say(
    'This node answers no more requests of the first server. Continue? [y/N] ',
    '这个节点将不再回答第一台服务器的请求。继续吗？[y/N] ',
  );
  if (!yes && !(await askFor('y', question, '--yes'))) {
    return console.log(say('Nothing was changed.', '没有做任何更改。'));
  }
  await withChangeLock(host, () => undo(context));
  const command = `sudo landfall node remove ${membership.name}`;
  console.log(
    say(
      `This node has left. On the first server, to forget it: ${command}`,
      `这个节点已退出。在第一台服务器上删除它的记录：${command}`,
    ),
  );
}
