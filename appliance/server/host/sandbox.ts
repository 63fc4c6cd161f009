/**
 * Settings of every unit that runs a program of ours or for us: it writes no file of the system and
 * gets no new privileges (systemd.exec(5)). A unit adds its capabilities and address families.
 */
export const sandbox = [
  'LockPersonality=yes',
  'NoNewPrivileges=yes',
  'PrivateDevices=yes',
  'PrivateTmp=yes',
  'ProtectClock=yes',
  'ProtectControlGroups=yes',
  'ProtectHome=yes',
  'ProtectHostname=yes',
  'ProtectKernelLogs=yes',
  'ProtectKernelModules=yes',
  'ProtectKernelTunables=yes',
  'ProtectSystem=strict',
  'RestrictNamespaces=yes',
  'RestrictRealtime=yes',
  'SystemCallArchitectures=native',
  'SystemCallFilter=@system-service',
] as const;
