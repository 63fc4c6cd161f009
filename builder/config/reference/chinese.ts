import {
  componentOf,
  hostComponents,
  portComponents,
  selectableComponents,
} from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';

/** Products with an English description instead of a name. */
const chineseProducts: Partial<Record<ComponentName, string>> = {
  relay: '中继',
  docs: '使用说明页面',
};

/** The meaning of each field of site.yaml in Chinese, for docs/zh/site.md, in the order of the schema. */
export const chineseMeanings: Readonly<Record<string, string>> = {
  release: '存放发布包的目录地址，按顺序尝试；`push` 表示由您通过 SSH 发送。',
  admin: '谁可以登录服务器。',
  'admin.user': '在服务器上创建的 sudo 用户。',
  'admin.email': '用于证书颁发机构和第一个聊天账号。',
  'admin.ssh_keys': '可以登录的 SSH 公钥。',
  hosts: '各组件的域名。没有域名时，聊天界面用 IP 地址访问，其他组件只能通过 SSH 隧道访问。',
  ...ofComponents('hosts', hostComponents, (product) => `${product}的域名。`),
  tls: '证书。',
  'tls.mode':
    "证书来源：`acme`（Let's Encrypt）、`acme-staging`（测试）、`acme-ip`（为 IP 地址签发）、`custom`（自带）、`internal`（服务器自签）、`off`（不用）。",
  'tls.accept_terms': '接受证书颁发机构的条款。',
  'tls.server': "Let's Encrypt 之外的 ACME 机构。",
  'tls.server.url': '该机构的目录地址（RFC 8555，7.1.1）。',
  'tls.server.ca': '该地址不受公共证书颁发机构信任时，为它签名的 CA 证书（PEM）。',
  route: '服务器如何连接外网。',
  'route.mode':
    '`direct` 直连，`http-proxy` HTTP 代理，`socks5` SOCKS5 代理，`client` 服务器上的代理客户端。',
  'route.url': '代理地址；`direct` 和 `client` 时不写。',
  'route.no_proxy': '不走代理的主机和网段。',
  'route.capture':
    '哪些连接进入代理客户端：`none` 只有发往其 HTTP 代理的连接，`host` 服务器和容器的其他连接也全部进入。',
  'route.on_failure': '没有可用代理时：`closed` 不建立连接，`direct` 直连。',
  dns: '服务器和容器使用的 DNS 服务器。不写：用网络分配的。',
  'dns.nameserver': 'DNS 服务器的地址，优先的写在前面。',
  'dns.search': '补全短主机名的域名。',
  'dns.tls': '加密 DNS 查询（DNS over TLS），需要 systemd-resolved。',
  socks: '给您自己的设备用的 SOCKS5 服务器。不写：没有。',
  'socks.port': '端口。',
  'socks.listen': '监听地址：回环地址（经 SSH 隧道使用），或私有地址，例如 WireGuard 的地址。',
  'socks.username': '登录用户名，密码在服务器上生成。',
  'socks.allow': '允许使用的私有网段。监听私有地址时必填。',
  ca: '服务器额外信任的 CA 证书（PEM）。',
  mirrors: '附近的镜像源。',
  'mirrors.apt': '发行版软件源的镜像。',
  'mirrors.apt_security': '发行版安全更新源的镜像。',
  'mirrors.registries': '镜像仓库的镜像，按仓库主机名写，例如 `docker.io`。',
  'mirrors.files': '精简包以外的文件的镜像。',
  'mirrors.models': 'Ollama 模型仓库的镜像。',
  'mirrors.hub': '`https://huggingface.co` 的镜像，作为登录用户的 `HF_ENDPOINT`。',
  'mirrors.npm': 'npm 软件源的镜像，作为登录用户的 `NPM_CONFIG_REGISTRY`。',
  'mirrors.pip': '`https://pypi.org/simple` 的镜像，作为登录用户的 `PIP_INDEX_URL`。',
  docker: 'Docker 从哪里安装。',
  'docker.source':
    '`docker` 用 Docker 公司的软件源，`distribution` 用发行版自带的；`auto` 优先用前者，装不上时用后者，并写入报告。',
  'docker.mirror': '`https://download.docker.com/linux` 的镜像，不含发行版名称。',
  upgrades: '系统安全更新，自动安装。',
  'upgrades.reboot': '更新需要重启时，什么时候可以重启，例如 `03:30`（服务器时间）。',
  timezone:
    '时区，例如 Asia/Shanghai，用于重启时间、定时任务、日志和告警。不写：保持系统镜像的设置。',
  language: '告警、登录提示和命令输出的语言。不写：按终端的语言，否则为英文。',
  updates: '新版本从哪里来。',
  'updates.channels': '发布频道的目录地址，按顺序尝试。',
  'updates.mode': '有新版本时怎么办。本版本只有 `off`。',
  'updates.window': '可以安装更新的时间段，例如 `03:00-05:00`。',
  components: '可选组件。',
  ...ofComponents('components', selectableComponents, (product) => `启用 ${product}。`),
  models: '下载发布包里的哪些模型。不写：内存放得下的最大的一个。空列表：只用云端模型。',
  providers: '中继接入的模型服务商，每个一条路径。',
  'providers.<name>.base_url':
    'API 地址，中继在后面加上 /chat/completions 等接口。密钥在服务器上设置，不写在这里。',
  'providers.<name>.models': '前端提供的模型，第一个为默认。不写：已知模型服务商的常用模型。',
  hub: '提供托管推理的模型社区，中继用 /hub/models 转发。',
  'hub.base_url': '/models/<model> 之前的地址。令牌 HUB_API_KEY 在服务器上设置，不写在这里。',
  firewall: '外界可以访问什么，以及访问频率。',
  'firewall.allow': '除 SSH、80、443 以外开放的端口，例如 `8443/tcp`、`6000-6010/udp`。',
  'firewall.unlimited': '访问者很多的网段（例如 CDN）：不限制 80 和 443 的连接数，也不封禁。',
  report: '服务器就绪后通知谁。',
  'report.webhook': '接收 JSON 报告的地址，报告不含机密。',
  alerts: '告警发到哪里；地址和密码在服务器上设置，见[告警](alerts.md)。',
  relay: '云端模型的中继。',
  'relay.keys': '每台设备或每个人一个名字；`landfall credentials` 显示密钥。',
  ui: '聊天界面（Open WebUI）。',
  'ui.hosted_models':
    '谁能看到收费的云端模型。不写：没有本地聊天模型的服务器上是所有人（`everyone`），否则只有管理员（`administrators`）。',
  'ui.function_calling':
    '模型如何调用工具。`native` 会给每个请求加上 Open WebUI 自带的工具，约 6,000 个 token。',
  tinyproxy: 'HTTP 代理。',
  'tinyproxy.username': '用户名；不写则在服务器上生成。',
  'tinyproxy.allow': '谁可以使用代理。不写：只有通过 SSH 隧道的人。',
  'tinyproxy.domains': '代理可以访问的域名。不写：常见的 AI 服务；`any`：不限。',
  'tinyproxy.open': '写 `i-understand` 表示不要用户名和密码：能连上端口的人都能用您的服务器。',
  ports: '服务器本机地址上的端口，供 SSH 隧道使用。',
  ...ofComponents('ports', portComponents, (product) => `${product}的端口。`),
  variables: '其他教程里使用的变量名，含义与上面的设置相同。',
  'variables.PROVIDER_API_KEY': '机密：这里留空，在服务器上设置。',
  'variables.PROVIDER_BASE_URL': '同 providers.provider.base_url。',
  'variables.PROVIDER_PROXY_URL': '同 providers.provider.base_url。',
  'variables.SECOND_PROVIDER_API_KEY': '机密：这里留空，在服务器上设置。',
  'variables.SECOND_PROVIDER_BASE_URL': '同 providers.second-provider.base_url。',
  'variables.HTTP_PROXY': '同 route.url。',
  'variables.HTTPS_PROXY': '同 route.url。',
  'variables.NO_PROXY': '同 route.no_proxy。',
  'variables.http_proxy': '同 route.url。',
  'variables.https_proxy': '同 route.url。',
  'variables.no_proxy': '同 route.no_proxy。',
  'variables.TINYPROXY_USERNAME': '同 tinyproxy.username。',
  'variables.TINYPROXY_PASSWORD': '机密：这里留空，在服务器上设置。',
  'variables.TINYPROXY_ALLOW': '同 tinyproxy.allow，只有一项。',
  'variables.OLLAMA_HOST': '容器内的监听地址；服务器只把它发布到回环地址。',
  'variables.OLLAMA_BASE_URL': 'Ollama 在各组件之间的地址。',
  'variables.OLLAMA_KEEP_ALIVE': 'Ollama 在内存里保留模型的时间。',
  'variables.WEBUI_SECRET_KEY': '机密：这里留空，在服务器上设置。',
};

function ofComponents(
  section: string,
  names: readonly ComponentName[],
  describe: (product: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const product = chineseProducts[name] ?? `${componentOf(name).product} `;
      return [`${section}.${name}`, describe(product).replace(' 。', '。')];
    }),
  );
}
