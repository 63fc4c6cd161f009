import type { ErrorCode } from '../error-codes.ts';

/** What an error means, and what to do. */
type ChineseError = readonly [title: string, hint: string];

/**
 * Errors in Chinese by their code: those that users see most often. The message of an error names the
 * file, the value or the host, and is printed below in English.
 */
export const chineseErrors: Readonly<Partial<Record<ErrorCode, ChineseError>>> = {
  USAGE: ['命令用法有误', '运行 `landfall help <命令>` 查看用法和示例。'],
  CONFIG_MISSING: ['找不到配置文件', '检查路径，或用 `landfall init` 生成配置文件。'],
  CONFIG_ENCODING: ['文件不是 UTF-8 文本', '用编辑器另存为 UTF-8。'],
  CONFIG_SYNTAX: ['YAML 语法错误', '按提示的行号修改；注意缩进、引号和英文冒号后的空格。'],
  CONFIG_INVALID: ['配置内容无效', '按上面的说明逐条修改。'],
  SITE_SECRET: [
    '站点配置里有机密',
    '删除它。user-data 会被云服务商和服务器上的程序读到，密钥请在服务器上用 `sudo landfall secret set` 设置。',
  ],
  LOCK_MISSING: ['没有锁文件', '运行 `landfall lock`。'],
  LOCK_DRIFT: ['锁文件与 appliance.yaml 不一致', '运行 `landfall lock` 更新锁文件。'],
  LOCK_UNRESOLVED: ['锁文件中有未确定的摘要', '运行 `landfall lock` 查询摘要。'],
  NETWORK_UNREACHABLE: [
    '无法连接',
    '检查网络、DNS 和代理；`landfall probe` 可以测试哪条线路可用。',
  ],
  NETWORK_TIMEOUT: ['连接超时', '稍后再试，或换用代理、镜像源。'],
  NETWORK_TLS: [
    'TLS 证书不受信任',
    '如果代理会替换证书，把它的 CA 证书写入站点的 `ca`（电脑上用 `--ca`）。',
  ],
  NETWORK_PROXY: ['代理不可用', '检查代理的地址、端口、用户名和密码。'],
  HTTP_STATUS: ['服务器返回了错误状态', '检查地址是否正确、文件是否已上传。'],
  REGISTRY_AUTH: ['镜像仓库要求登录', '用 `docker login` 登录该仓库，或换用镜像源。'],
  REGISTRY_RATE_LIMIT: [
    '镜像仓库限制了请求频率',
    '稍后再试，登录该仓库，或在 `mirrors.registries` 中设置镜像源。',
  ],
  IMAGE_NOT_FOUND: ['找不到镜像', '检查镜像的名称和标签。'],
  MODEL_NOT_FOUND: ['找不到模型', '检查模型的名称和标签，例如 qwen3:8b。'],
  BLOB_DIGEST: ['下载的内容与摘要不符', '换一个下载源再试；内容可能被篡改或截断。'],
  BUNDLE_TRUNCATED: ['发布包不完整', '重新下载。'],
  BUNDLE_UNTRUSTED: [
    '发布包不是由受信任的公钥签名',
    '不要使用它。把密钥指纹与项目在其他渠道公布的指纹核对，再用 `--key` 指定公钥。',
  ],
  BUNDLE_CONTENT: ['发布包的内容与签名不符', '不要使用它，从项目重新下载。'],
  BUNDLE_EXPIRED: ['版本已过期', '用 `date -u` 检查时钟，然后换用更新的版本。'],
  BUNDLE_PINNED: ['不是 user-data 指定的那个发布包', '用要安装的版本重新生成 user-data。'],
  KEY_MISSING: ['找不到密钥', '检查路径，或用 `landfall keygen` 生成密钥。'],
  KEY_PASSPHRASE: ['密钥的口令不正确', '重新输入；口令丢失后无法找回。'],
  FILE_EXISTS: ['文件已存在', '换一个文件夹，或移走已有的文件。'],
  FILE_MISSING: ['文件不存在', '检查路径。'],
  FILE_ACCESS: ['没有访问文件的权限', '检查文件的所有者和权限，或换一个路径。'],
  DISK_FULL: ['磁盘空间不足', '释放空间；`df -h` 显示已满的文件系统。'],
  USER_DATA_TOO_LARGE: [
    'user-data 超过云服务商的大小限制',
    '按列表删减内容，或换用其他 `--format`。',
  ],
  USER_DATA_PROVIDER: ['未知的云服务商', '从提示的名称中选择。'],
  USER_DATA_URL: ['站点的下载地址没有提供发布包', '上传列出的文件，然后再检查一次。'],
  SSH_UNREACHABLE: [
    '无法通过 SSH 连接服务器',
    '检查地址、端口和安全组，然后重新运行同一条命令，它会继续。',
  ],
  SSH_DENIED: [
    'SSH 登录被拒绝',
    '先用 `ssh` 手动登录一次，确认用户名和密钥；用户需要 root 或 sudo 权限。',
  ],
  SSH_HOST_KEY: [
    '服务器的主机密钥未知或已改变',
    '与云服务商控制台里的指纹核对；重装过系统时运行 `ssh-keygen -R <地址>`。',
  ],
  DOCKER_UNREACHABLE: ['Docker 没有响应', '启动 Docker，并检查您的权限。'],
  TOOL_MISSING: ['缺少必需的程序', '安装提示的软件包。'],
  STAGE_FAILED: ['首次启动的某个阶段失败', '在服务器上运行 `landfall status` 查看阶段和原因。'],
  SERVER_UNFIT: ['服务器不满足要求', '换用满足下列要求的服务器。'],
  COMMAND_FAILED: [
    '系统程序执行失败',
    '查看上面引用的输出；完整日志：`sudo journalctl -u landfall-boot`。',
  ],
  APT_FAILED: ['无法安装系统软件包', '把可访问的软件源写入 `mirrors.apt`，或把代理写入 `route`。'],
  STATE_INVALID: ['服务器的状态文件无效', '移走提示的文件，再运行一次。'],
  NOT_ROOT: ['需要 root 权限', '用 `sudo` 运行。'],
  ALREADY_RUNNING: [
    '另一个 Landfall 进程正在运行',
    '等它结束；`landfall status --watch` 显示进度。',
  ],
  ROUTE_BLOCKED: [
    '站点设置的线路无法访问外网',
    '从列出的线路中选择一条，用 `sudo landfall site edit` 设置，或重新生成 user-data。',
  ],
  SSH_UNPROVEN: [
    '密钥登录测试没有通过，因此没有关闭密码登录',
    '解决列出的问题，再运行 `sudo landfall first-boot`。',
  ],
  STACK_UNHEALTHY: ['有组件没有按时就绪', '用提示的 `sudo docker logs` 命令查看日志。'],
  TLS_NAME: ['域名还没有解析到这台服务器', '按提示添加 DNS 记录；服务器会自动重试。'],
  ACME_CHALLENGE: [
    '证书颁发机构无法验证域名',
    '检查 DNS 记录和 80 端口；中国大陆的服务器还需要域名备案。',
  ],
  ACME_RATE_LIMIT: ['证书颁发机构限制了请求频率', '请等待；服务器会自动重试。'],
  MODEL_FAILED: [
    '模型没有装好',
    '检查名称和线路，然后运行 `sudo landfall models pull`，可断点续传。',
  ],
  SMOKE_FAILED: ['冒烟测试失败', '按每项测试的提示处理。'],
  UNCONFIRMED: [
    '更改没有确认，已回滚',
    '重新更改，并在新的登录中用 `sudo landfall confirm` 确认。',
  ],
  BACKUP_FAILED: ['备份没有完成', '按提示处理；`sudo landfall backup status` 显示每个位置的结果。'],
  BACKUP_ACCESS: ['备份位置拒绝了这台服务器', '按提示处理，再运行 `sudo landfall backup init`。'],
  BACKUP_MISSING: ['没有备份仓库', '挂载磁盘，或运行 `sudo landfall backup init`。'],
  BACKUP_PASSWORD: ['备份密码不符', '换一个目录，或再次运行 `sudo landfall backup init`。'],
  BACKUP_RELEASE: ['这个版本不能恢复该备份', '改用错误信息中的版本。'],
  BACKUP_DAMAGED: ['备份仓库已损坏', '见 Landfall 文档 backup.md 的“仓库损坏时”。'],
  BACKUP_TEST_FAILED: ['恢复测试失败', '按提示处理，再运行 `sudo landfall backup test`。'],
  EXPORT_INCOMPLETE: [
    '部分对话或文档无法导出，其余已导出',
    '在聊天界面中打开列出的对话，或换一个目录再运行一次。',
  ],
  ALERT_FAILED: ['告警没有送达', '运行 `sudo landfall alert test` 查看每个接收方的结果。'],
};

/** Returns the Chinese text of an error code, also of one that another release stored. */
export function chineseErrorOf(code: string): ChineseError | undefined {
  return Object.hasOwn(chineseErrors, code) ? chineseErrors[code as ErrorCode] : undefined;
}
