/** Examples of fields, by their names: what people rarely know the form of. */
export const examples: Readonly<Record<string, string>> = {
  release: 'https://downloads.example.com/landfall/1.0.0/',
  'admin.email': 'me@example.com',
  'admin.ssh_keys':
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 me@laptop',
  'hosts.ui': 'chat.example.com',
  'hosts.relay': 'api.example.com',
  'hosts.docs': 'docs.example.com',
  'route.url': 'http://10.0.0.2:7890',
  'route.no_proxy': '10.0.0.0/8',
  'dns.nameserver': '192.0.2.53',
  'mirrors.apt': 'https://mirror.example.cn/debian',
  'mirrors.apt_security': 'https://mirror.example.cn/debian-security',
  'mirrors.registries': 'docker.io: https://registry.example.cn',
  'mirrors.models': 'https://models.example.cn',
  'docker.mirror': 'https://mirror.example.cn/docker-ce/linux',
  timezone: 'Europe/Berlin',
  'updates.channels': 'https://downloads.example.com/landfall/channel/',
  models: 'qwen3:8b',
  providers: 'openai: { base_url: https://api.openai.com/v1 }',
  'relay.keys': 'laptop',
  'report.webhook': 'https://hooks.example.com/landfall',
};
