import type { Topic } from './golden.ts';
import { alerts } from './topics/alerts.ts';
import { builderCommands } from './topics/builder-commands.ts';
import { bundles } from './topics/bundles.ts';
import { chats } from './topics/chats.ts';
import { completion, help, manual } from './topics/command-line.ts';
import { conditionFiles } from './topics/conditions.ts';
import { doctor } from './topics/doctor.ts';
import { engines } from './topics/engines.ts';
import { errors } from './topics/errors.ts';
import { firstBoot } from './topics/first-boot.ts';
import { proxies } from './topics/proxies.ts';
import { relay } from './topics/relay.ts';
import { report } from './topics/report.ts';
import { serverChecks } from './topics/server-checks.ts';
import { serverCommands } from './topics/server-commands.ts';
import { otherFiles, stageFiles } from './topics/server-files.ts';
import { site } from './topics/site.ts';
import { compose, pages, stack } from './topics/stack.ts';
import { stateFiles } from './topics/state-files.ts';
import { updates } from './topics/updates.ts';
import { userData } from './topics/user-data.ts';

/** What users see, by the folder of its golden files. */
export const topics: Readonly<Record<string, Topic>> = {
  alerts,
  'builder-commands': builderCommands,
  bundles,
  chats,
  completion,
  compose,
  conditions: conditionFiles,
  doctor,
  engines,
  errors,
  'first-boot': firstBoot,
  help,
  manual,
  'other-files': otherFiles,
  pages,
  proxies,
  relay,
  report,
  'server-checks': serverChecks,
  'server-commands': serverCommands,
  site,
  stack,
  'stage-files': stageFiles,
  'state-files': stateFiles,
  updates,
  'user-data': userData,
};
