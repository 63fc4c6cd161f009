import type { ErrorCode } from '../error-codes.ts';

/**
 * What an error means, and what to do. The advice is missing where only the hint of the error can name
 * it; {@link same}: the hints of this code say the same in English, so they are not printed.
 */
export type ChineseError = readonly [title: string, advice?: string, isSameAsHint?: true];

export const same = true;

/** The errors of the family `server` in Chinese. */
export const chineseServerErrors = {
  STAGE_FAILED: ['首次启动的某个阶段失败', '在服务器上运行 `landfall status` 查看阶段和原因。'],
  SERVER_UNFIT: ['服务器不满足要求'],
  COMMAND_FAILED: [
    '系统程序执行失败',
    '查看上面引用的输出；完整日志：`sudo journalctl -u landfall-boot`。',
  ],
  APT_FAILED: [
    '无法安装系统软件包',
    '运行 `sudo apt-get update` 检查；软件源不可访问时，设置 `mirrors.apt` 或 `route`。',
    same,
  ],
  STATE_INVALID: ['服务器现在的状态不允许这个操作'],
  NOT_ROOT: ['需要 root 权限', '用 `sudo` 运行。'],
  ALREADY_RUNNING: [
    '另一个 Landfall 进程正在运行',
    '等它结束；`landfall status --watch` 显示进度。',
  ],
  ROUTE_BLOCKED: ['站点设置的线路无法访问外网'],
  SSH_UNPROVEN: [
    '密钥登录测试没有通过，因此没有关闭密码登录',
    '解决列出的问题，再运行 `sudo landfall first-boot`。',
    same,
  ],
  FIREWALL_INVALID: ['防火墙没有按配置工作'],
  HOST_SETTINGS: ['系统设置没有生效'],
  DOCKER_SETTINGS: [
    'Docker 的设置无效或没有生效',
    '修正或删除 /etc/docker/daemon.json 中提示的项。',
  ],
  IMAGE_MISMATCH: ['Docker 中的镜像不是这个版本的镜像', '运行 `sudo landfall first-boot` 替换它。'],
  STACK_UNHEALTHY: ['有组件没有按时就绪'],
  TLS_MATERIAL: ['证书和私钥无效或不配套'],
  TLS_NAME: ['域名还没有解析到这台服务器', '按提示添加 DNS 记录；服务器会自动重试。', same],
  ACME_CHALLENGE: [
    '证书颁发机构无法验证域名',
    '检查 DNS 记录和 80 端口；中国大陆的服务器还需要域名备案。',
  ],
  ACME_RATE_LIMIT: [
    '证书颁发机构限制了请求频率',
    '请等待；服务器会自动重试。测试时设置 `tls.mode: acme-staging`。',
    same,
  ],
  ACME_REFUSED: ['证书颁发机构拒绝签发证书'],
  ACME_UNREACHABLE: ['无法连接证书颁发机构', '检查线路；服务器会自动重试。'],
  MODEL_FAILED: [
    '模型没有装好',
    '检查名称和线路，然后运行 `sudo landfall models pull`，可断点续传。',
  ],
  SMOKE_FAILED: ['冒烟测试失败'],
  UNCONFIRMED: [
    '更改没有确认',
    '在新的 SSH 登录中运行 `sudo landfall confirm`；已回滚的更改要先重新执行。',
  ],
  NODE_TOKEN: [
    '节点的令牌无效',
    '在第一台服务器上运行 `sudo landfall node token <名称>` 生成新令牌，并复制整行。',
    same,
  ],
  NODE_UNREACHABLE: ['第一台服务器没有响应'],
  SWARM_CONFLICT: ['这台服务器的 Docker 属于另一个 Swarm'],
  UPDATE_FAILED: ['更新或更改没有完成，已回滚', '原因见 `sudo landfall update history`。'],
  ALERT_FAILED: ['告警没有送达', '运行 `sudo landfall alert test` 查看每个接收方的结果。'],
  PROVIDER_KEY_REFUSED: [
    '模型服务商拒绝了新的密钥',
    '从模型服务商的控制台重新复制密钥，再运行 `sudo landfall secret set`。',
    same,
  ],
  BACKUP_FAILED: [
    '备份没有完成',
    '检查网络和备份位置；`sudo landfall backup status` 显示每个位置的结果。',
  ],
  BACKUP_ACCESS: ['备份位置拒绝了这台服务器'],
  BACKUP_MISSING: ['没有备份或备份仓库'],
  BACKUP_PASSWORD: ['备份密码不正确或没有确认'],
  BACKUP_DAMAGED: ['备份仓库已损坏', '见 Landfall 文档 backup.md 的“仓库损坏时”。'],
  BACKUP_RELEASE: ['这个版本不能恢复该备份', '改用错误信息中的版本。', same],
  BACKUP_TEST_FAILED: ['恢复测试失败'],
  EXPORT_INCOMPLETE: [
    '部分对话或文档无法导出，其余已导出',
    '在聊天界面中打开列出的对话，或换一个目录再运行一次。',
    same,
  ],
} as const satisfies Partial<Record<ErrorCode, ChineseError>>;
