import { commandFile, installedMark } from '#contract/server-paths.ts';

/**
 * Returns the text of a unit in which a timer runs a command of ours after the first boot. It starts other
 * units and uses Docker, so it has no sandbox.
 * @param command such as `backup run --scheduled`
 */
export function scheduledUnit(description: string, command: string): string {
  return `[Unit]
Description=${description}
Documentation=man:landfall(8)
Wants=network-online.target
After=network-online.target docker.service
ConditionPathExists=/${installedMark}

[Service]
Type=oneshot
ExecStart=/${commandFile} ${command}
Environment=HOME=/root
TimeoutStartSec=20h
Nice=10
`;
}
