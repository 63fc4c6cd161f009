import type { Opening } from '#contract/site/opening.ts';
import { confirm } from '../../../../../appliance/server/host/undo/undo.ts';
import { capture } from '../../../../../appliance/stages/route/capture/names.ts';
import { confirmCapture } from '../../../../../appliance/stages/route/capture/state.ts';
import {
  type ProveCapture,
  switchCapture,
} from '../../../../../appliance/stages/route/capture/switch.ts';
import { undoAnswers } from '../../../answers.ts';
import type { Answers } from '../../../temporary-host.ts';
import { server } from '../client/rig.ts';

const openings: readonly Opening[] = [{ protocol: 'udp', first: 6000, last: 6010 }];

/** Returns a server whose site captures all connections, and functions that switch it. */
export function capturing(answers: Answers = {}, route: object = {}) {
  const { host, context } = server(
    ['a'],
    { capture: 'host', ...route },
    {
      ...undoAnswers,
      'ip -4 rule show': '0:\tfrom all lookup local\n32766:\tfrom all lookup main',
      'ip -6 rule show': '0:\tfrom all lookup local',
      'ip link show landfall0': 1,
      ...answers,
    },
    {
      'dev/net/tun': '',
      'proc/sys/net/ipv6/conf/default/disable_ipv6': '0\n',
      'etc/resolv.conf': 'nameserver 192.0.2.53\n',
    },
  );
  const probe = async () => undefined;
  const on = (prove: ProveCapture = async () => {}) =>
    switchCapture(context, { openings, probe, prove });
  const confirmed = async () => {
    await confirm(host, capture.undo);
    await confirmCapture(host);
  };
  return { host, context, on, confirmed };
}
