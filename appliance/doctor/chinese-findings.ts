import type { FindingCode } from './codes.ts';

/** What a finding means, and what to do, in Chinese. */
interface ChineseFinding {
  readonly meaning: string;
  readonly remedy: string;
}

/** Findings in Chinese by their code. A test compares them with `docs/zh/doctor.md`. */
export const chineseFindings: Readonly<Partial<Record<FindingCode, ChineseFinding>>> = {
  SITE_INVALID: {
    meaning: '服务器上的站点配置无效。',
    remedy:
      '按提示修改 /etc/landfall/site.json 中的字段，或用 `landfall user-data` 重新生成 user-data；然后运行 `sudo landfall first-boot`。',
  },
  SSH_LOCKOUT_RISK: {
    meaning:
      '下一次 SSH 登录可能失败：没有可用的密钥、没有 sudo 权限、权限位错误、配置无效，或 sshd 已停止。',
    remedy:
      '不要关闭当前登录。修改 sshd_config 之前，先在另一个窗口确认管理员能用密钥登录并有 sudo 权限。如果已无法登录，请用云服务商的控制台和 `sudo landfall credentials` 显示的密码。然后运行 `sudo landfall first-boot`，它会先测试登录再修改 SSH。',
  },
  CHANGE_UNCONFIRMED: {
    meaning: '有一项更改尚未确认，即将自动回滚。',
    remedy: '在另一个窗口重新登录 SSH，运行 `sudo landfall confirm`；否则更改会自动撤销。',
  },
  DISK_FULL: {
    meaning: '文件系统的空间或 inode 即将用尽。',
    remedy:
      '释放空间：`sudo apt-get clean`、`sudo journalctl --vacuum-size=100M`、`sudo landfall models remove NAME`。',
  },
  CLOCK_WRONG: {
    meaning: '系统时间不正确。',
    remedy: '用 `sudo date --set` 校正时间，并查看 `timedatectl`；容器的时间要在宿主机上校正。',
  },
  PACKAGES_BROKEN: {
    meaning: '软件包没有安装完整。',
    remedy: '运行 `sudo dpkg --configure -a`，再运行 `sudo landfall first-boot`。',
  },
  NAME_UNRESOLVED: {
    meaning: '某个域名无法解析。',
    remedy:
      '用 `resolvectl status` 或 /etc/resolv.conf 检查 DNS 服务器，并确认云服务商的防火墙放行 53 端口；或者在站点中使用 IP 地址。',
  },
  NAME_POLLUTED: {
    meaning: '域名被解析到回环地址或保留地址，或提供商的地址与加密 DNS 的结果不符（DNS 污染）。',
    remedy:
      '使用公共 DNS；或由代理解析域名（`socks5h://` 或 HTTP 代理）；或在 proxychains 中设置 `proxy_dns`。删除 /etc/hosts 中的错误行。/etc/resolv.conf 的修改可能被系统覆盖，请在 systemd-resolved 或 netplan 中设置。',
  },
  PROXY_FAILS: {
    meaning: '站点设置的代理不可用。',
    remedy:
      '检查 `route.url` 的地址、端口和凭据，端口可能不同。用 `curl -x <proxy> -I https://<host>` 测试，然后运行 `sudo landfall first-boot`。如果 `route.mode` 为 `client`，则改为运行 `sudo landfall route on`，或先导入其他节点。',
  },
  TLS_UNTRUSTED: {
    meaning: 'TLS 证书不受信任：已过期、域名不符，或由未知机构签发。',
    remedy:
      '把代理的 CA 证书放到 /usr/local/share/ca-certificates 并运行 `sudo update-ca-certificates`。自带证书列表的程序需要 REQUESTS_CA_BUNDLE（Python）或 NODE_EXTRA_CA_CERTS（Node）。关闭证书验证只能用于调试，生产环境禁止。',
  },
  PROVIDER_UNREACHABLE: {
    meaning: '按站点的网络线路无法访问模型服务商。',
    remedy:
      '使用代理或中继：在站点的 `route` 中设置 HTTP 或 SOCKS5 代理，或把模型服务商的 `base_url` 指向中继；然后运行 `sudo landfall first-boot`。',
  },
  PORT_USED: {
    meaning: '端口已被其他程序占用。',
    remedy:
      '停止该程序；或修改映射的主机端口：在站点的 `ports` 中换一个空闲端口（例如 `ui: 3001`，即 3001:8080），再运行 `sudo landfall first-boot`，它会同时更新 proxy_pass。80 和 443 端口不能更改。',
  },
  DOCKER_DOWN: {
    meaning: 'Docker 没有响应。',
    remedy:
      '运行 `sudo systemctl start docker`；失败时用 `sudo journalctl -u docker -n 50` 查看原因。',
  },
  FIRST_BOOT_FAILED: {
    meaning: '上一次首次启动失败或被中断。',
    remedy: '排除提示中的原因，再运行 `sudo landfall first-boot`。',
  },
  OUT_OF_MEMORY: {
    meaning: '容器因内存不足被内核终止。',
    remedy:
      '换用更小的模型（站点的 `models`），或内存更大的服务器；`sudo landfall plan` 显示模型需要的内存。',
  },
  COMPONENT_DOWN: {
    meaning: '组件已停止、不健康或不存在。',
    remedy:
      '用 `sudo docker logs --tail 50 landfall-NAME` 查看日志，再运行 `sudo landfall first-boot` 启动它。',
  },
  UI_WITHOUT_ENGINE: {
    meaning: '聊天界面无法连接 Ollama。',
    remedy:
      'OLLAMA_BASE_URL 应为 `http://engine:11434`（推理引擎的服务名）；用 `sudo docker ps` 和 `sudo docker logs --tail 50 landfall-engine` 检查容器。`sudo landfall first-boot` 会恢复两者。',
  },
  DNS_RECORD_MISSING: {
    meaning: '站点的域名没有指向本服务器的 DNS 记录，因此无法签发证书；提示中有名称、类型和值。',
    remedy:
      '在域名注册商处创建提示中的记录，同名同类型的其他记录要替换掉。30 秒到 2 分钟后生效，随后会自动申请证书。',
  },
  CERTIFICATE_INVALID: {
    meaning: '站点证书缺失、过期、未按时续期，或域名不符。',
    remedy:
      '确认 DNS 记录指向本服务器、80 端口可达，再运行 `sudo landfall tls renew`；自备证书请在过期前更换。',
  },
  GATEWAY_SETTINGS: {
    meaning: 'nginx 拒绝网关的配置。',
    remedy:
      '含 [emerg] 的行会指出文件和行号。运行 `sudo landfall first-boot` 重新写入配置；在此之前 nginx 沿用原来的配置。',
  },
  GATEWAY_DOWN: {
    meaning: '网关没有响应。',
    remedy:
      '用 `sudo docker logs --tail 50 landfall-gateway` 查看日志；`sudo landfall first-boot` 会重新写入配置并启动网关。',
  },
  GATEWAY_BAD_GATEWAY: {
    meaning: '网关返回 502 或 504。',
    remedy:
      '用 `sudo docker port landfall-ui` 检查映射 3000:8080，在服务器上用 `curl -I http://127.0.0.1:3000` 测试组件，并用 `sudo docker logs --tail 50 landfall-gateway` 查看网关的错误日志。',
  },
  GATEWAY_FORBIDDEN: {
    meaning: '网关对站点自己的域名返回 403。',
    remedy:
      '用配置的域名访问；域名正确时，把它写入站点的 `hosts`，再运行 `sudo landfall first-boot`。',
  },
  CONTAINER_WITHOUT_PROXY: {
    meaning: '推理引擎没有使用站点的代理。',
    remedy:
      '用 `sudo docker info` 检查 Docker 守护进程的代理，用 `sudo docker exec NAME env` 过滤 proxy 检查容器。重建容器：Landfall 的用 `sudo landfall first-boot`，自己的用 `docker run -e HTTPS_PROXY=… -e NO_PROXY=…`。',
  },
  HOST_NAME_IN_CONTAINER: {
    meaning: '容器使用了 Linux 上无法解析的 `host.docker.internal`。',
    remedy:
      '使用主机网络模式，或主机的 IP 地址。该名称只在 macOS 和 Windows 的桌面版中自动可用；Linux 上可加 `--add-host host.docker.internal:host-gateway`。但 Landfall 的防火墙仍会拒绝容器访问服务器 80 和 443 以外的端口，因此要访问其他服务只能使用主机网络模式。',
  },
  MODEL_PULL_TIMEOUT: {
    meaning: '模型缺失，且所有下载源都无法访问。',
    remedy:
      '把代理设为站点的线路（推理引擎会得到代理变量），或用 `mirrors.models` 设置镜像；再运行 `sudo landfall models pull NAME`，可断点续传。',
  },
  MODEL_MISSING: {
    meaning: '本服务器的模型未安装。',
    remedy: '运行 `sudo landfall models pull NAME`，可断点续传。',
  },
  PROVIDER_KEY_MISSING: {
    meaning: '模型服务商没有设置密钥。',
    remedy: '在服务器上运行 `sudo landfall secret set NAME_API_KEY`。',
  },
  PROVIDER_KEY_REFUSED: {
    meaning: '模型服务商拒绝了密钥。',
    remedy:
      '从模型服务商的控制台重新复制密钥，并确认账号可用；再运行 `sudo landfall secret set NAME_API_KEY`，它会同时测试密钥。',
  },
  FIREWALL_DIFFERS: {
    meaning: '防火墙与其设置不一致。',
    remedy:
      '运行 `sudo landfall firewall apply`。它可能关闭端口；几分钟内未从新登录运行 `sudo landfall confirm` 就会自动撤销。',
  },
  PORT_CLOSED: {
    meaning: '端口只在 UFW 中放行，因此仍然关闭。',
    remedy:
      '要开放端口，运行 `sudo landfall firewall allow PORT/PROTOCOL`；要关闭，删除提示中的 UFW 规则。',
  },
  BAN_DOWN: {
    meaning: 'fail2ban 未运行或没有响应。',
    remedy:
      '运行 `sudo systemctl restart fail2ban`；用 `sudo journalctl -u fail2ban -n 50` 查看原因。',
  },
  SERVICE_FAILED: {
    meaning: 'Landfall 依赖的 systemd 单元失败。',
    remedy: '用 `sudo journalctl -u UNIT -n 50` 查看日志，再运行 `sudo systemctl restart UNIT`。',
  },
  RELEASE_EXPIRED: {
    meaning: '版本已过期。',
    remedy: '用更新的版本重新生成 user-data：过期的版本不再获得安全更新。',
  },
  STAGE_PENDING: {
    meaning: '首次启动会做出更改，或某个阶段无法检查。',
    remedy:
      '`sudo landfall plan` 列出这些更改并显示各文件的 diff，`sudo landfall first-boot` 会执行它们。',
  },
  CHECK_FAILED: {
    meaning: '某项检查失败，没有结果。',
    remedy: '按提示处理；失败的检查不说明任何结果。',
  },
  CHECK_TIMED_OUT: {
    meaning: '某项检查超时。',
    remedy:
      '再次运行 `sudo landfall doctor`；总是超时说明有程序卡住：`ps -eo pid,stat,cmd` 显示状态为 D 的进程。',
  },
};
