import { signInEmail } from '#contract/site/email.ts';
import type { LockedModel, SmokeTarget } from '../../../appliance/shared/smoke/target.ts';
import type { RunningStack } from './running-stack.ts';

/** The stack as seen by remote smoke tests. */
export async function outsideOf({ rig }: RunningStack): Promise<SmokeTarget> {
  const gateway = await rig.address('gateway');
  return { site: rig.input.site, gateway, bareHost: gateway };
}

/** One target per stack, because each signs in once, and the gateway accepts few sign-ins. */
const targets = new WeakMap<RunningStack, SmokeTarget>();

/**
 * The stack as seen by an administrator on the server, with its secrets.
 * @param models the models that the release names; none if the test installs none
 */
export async function insideOf(
  stack: RunningStack,
  models: readonly LockedModel[] = [],
): Promise<SmokeTarget> {
  const { rig, secrets } = stack;
  const target = await outsideOf(stack);
  const { WEBUI_ADMIN_PASSWORD: password = '' } = secrets;
  const inside: SmokeTarget = {
    ...target,
    inside: {
      engine: `http://${await rig.address('engine', 'models')}:11434`,
      models,
      proxy: { host: await rig.address('tinyproxy', 'outside'), port: 8888 },
      secrets,
      administrator: { email: signInEmail(target.site), password },
    },
  };
  const kept = Object.assign(targets.get(stack) ?? {}, inside);
  targets.set(stack, kept);
  return kept;
}
