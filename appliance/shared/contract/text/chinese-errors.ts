import type { ErrorCode } from '../error-codes.ts';
import { type ChineseError, chineseServerErrors, same } from './chinese-server-errors.ts';
import { currentLanguage, isChinese, type Language, type Text } from './language.ts';
import { translated } from './translated.ts';

/** All errors in Chinese. The message of an error names the file, the value or the host. */
export const chineseErrors: Readonly<Record<ErrorCode, ChineseError>> = {
  USAGE: ['命令用法有误', '运行 `landfall help <命令>` 查看用法和示例。'],
  CONFIG_MISSING: ['找不到配置文件', '检查路径，或用 `landfall init` 生成配置文件。'],
  CONFIG_TOO_LARGE: ['配置文件过大', '检查文件或地址是否正确。', same],
  CONFIG_ENCODING: ['文件不是 UTF-8 文本', '用编辑器另存为 UTF-8。', same],
  CONFIG_SYNTAX: ['文件语法错误', '按提示的行号修改；注意缩进、引号和英文冒号后的空格。', same],
  CONFIG_INVALID: ['配置内容无效', '按上面的说明逐条修改。'],
  COMPOSE_INVALID: ['Compose 文件无法用于发布包', '按每条说明修改 Compose 文件。'],
  SITE_SECRET: [
    '站点配置里有机密',
    '删除它。user-data 会被云服务商和服务器上的程序读到，密钥请在服务器上用 `sudo landfall secret set` 设置。',
    same,
  ],
  LICENSE_UNKNOWN: ['发布包中有许可证不明的内容'],
  LOCK_MISSING: ['没有锁文件', '运行 `landfall lock`。', same],
  LOCK_INVALID: ['锁文件无效', '从版本库恢复锁文件，或删除后运行 `landfall lock`。', same],
  LOCK_DRIFT: ['锁文件与 appliance.yaml 不一致', '运行 `landfall lock` 更新锁文件。'],
  LOCK_UNRESOLVED: ['锁文件中有未确定的摘要', '运行 `landfall lock` 查询摘要。'],
  NETWORK_UNREACHABLE: [
    '无法连接',
    '检查网络、DNS 和代理；`landfall probe` 可以测试哪条线路可用。',
    same,
  ],
  NETWORK_TIMEOUT: ['连接超时', '稍后再试，或换用代理、镜像源。', same],
  NETWORK_TLS: [
    'TLS 证书不受信任',
    '如果代理会替换证书，把它的 CA 证书写入站点的 `ca`（电脑上用 `--ca`）。',
    same,
  ],
  NETWORK_PROXY: [
    '代理不可用',
    '检查代理的地址、端口、用户名和密码；密码中的特殊字符要写成百分号编码。',
    same,
  ],
  HTTP_STATUS: ['服务器返回了错误状态', '检查地址是否正确、文件是否已上传。'],
  HTTP_REDIRECT: ['重定向被拒绝', '检查地址；网络中可能有登录页或过滤。', same],
  REGISTRY_AUTH: ['镜像仓库要求登录', '用 `docker login` 登录该仓库，或换用镜像源。', same],
  REGISTRY_CREDENTIALS: [
    '无法读取镜像仓库的登录信息',
    '修正 Docker 的 config.json，或把 DOCKER_CONFIG 指向空文件夹，不使用登录。',
    same,
  ],
  REGISTRY_PROTOCOL: [
    '返回的内容不是镜像仓库的响应',
    '检查地址；网络中可能有登录页、代理或过滤。',
    same,
  ],
  REGISTRY_RATE_LIMIT: [
    '镜像仓库限制了请求频率',
    '稍后再试，登录该仓库，或在 `mirrors.registries` 中设置镜像源。',
    same,
  ],
  IMAGE_NOT_FOUND: ['找不到镜像', '检查镜像的名称和标签。'],
  IMAGE_PLATFORM: ['镜像不支持这个架构'],
  IMAGE_NOT_INDEX: ['这个摘要只对应一个平台的镜像'],
  IMAGE_MANIFEST: ['镜像的清单无效', '检查镜像名称，或用新版工具重新推送镜像。'],
  IMAGE_FOREIGN_LAYER: [
    '镜像的部分层不在镜像仓库中',
    '换用所有层都在仓库中的镜像；外部层不能再分发。',
    same,
  ],
  IMAGE_SOURCE: ['镜像文件不完整或格式不对'],
  MODEL_NOT_FOUND: ['找不到模型', '检查模型的名称和标签，例如 qwen3:8b。', same],
  MODEL_MANIFEST: ['模型的清单无效', '检查模型名称；网络中的代理可能替换了内容。', same],
  MODEL_FORMAT: ['Ollama 不支持这种模型文件', '换用单个 GGUF 文件的模型；文件损坏时重新下载。'],
  BLOB_DIGEST: ['下载的内容与摘要不符', '换一个下载源再试；内容可能被篡改或截断。'],
  BLOB_SIZE: ['内容的大小不符', '检查地址，或换一个下载源再试。'],
  UPLOAD_REFUSED: ['存储拒绝了上传'],
  BUNDLE_TRUNCATED: ['发布包不完整', '重新下载，可断点续传。', same],
  BUNDLE_HEADER: ['发布包的 tar 头无效'],
  BUNDLE_HEAD: ['文件不是发布包，或开头无效'],
  BUNDLE_MANIFEST: ['发布包的 release.json 无效或版本更新'],
  BUNDLE_SIGNATURE: ['发布包的签名无效'],
  BUNDLE_UNTRUSTED: [
    '发布包不是由受信任的公钥签名',
    '不要使用它。把密钥指纹与项目在其他渠道公布的指纹核对，再用 `--key` 指定公钥。',
    same,
  ],
  BUNDLE_KEYS: ['发布包更换了公钥，但没有恢复密钥的签名'],
  BUNDLE_CHECKSUMS: ['SHA256SUMS 与 release.json 不一致'],
  BUNDLE_MEMBER: ['发布包多出、缺少或改动了文件'],
  BUNDLE_CONTENT: ['发布包的内容与签名不符，或缺少需要的部分'],
  BUNDLE_TRAILING: ['发布包末尾有多余的数据'],
  BUNDLE_ROLLBACK: ['这个版本比允许的旧'],
  BUNDLE_EXPIRED: ['版本已过期', '用 `date -u` 检查时钟，然后换用更新的版本。', same],
  BUNDLE_WRONG_TARGET: ['发布包用于其他产品或架构'],
  BUNDLE_PINNED: ['不是 user-data 指定的那个发布包', '用要安装的版本重新生成 user-data。', same],
  BUNDLE_DIFFERS: ['用这份源代码构建不出同样的发布包'],
  CHANNEL_INVALID: ['更新频道的文件无效'],
  CHANNEL_UNTRUSTED: [
    '更新频道不是由受信任的公钥签名',
    '把密钥指纹与项目公布的指纹核对；镜像源可能被篡改。',
    same,
  ],
  CHANNEL_KEYS: ['更新频道缺少密钥轮换的文件', '请频道的维护者完整发布 trust/ 文件夹。', same],
  CHANNEL_OLD: [
    '更新频道比以前见过的旧',
    '请等待镜像源同步；一直如此时，从 `updates.channels` 中删除它。',
    same,
  ],
  TRUST_REFUSED: [
    '密钥轮换被拒绝',
    '把密钥指纹与项目公布的指纹核对；确认之前不要安装任何东西。',
    same,
  ],
  KEY_MISSING: ['找不到密钥', '检查路径，或用 `landfall keygen` 生成密钥。'],
  KEY_KIND: ['密钥不是 P-256 的 ECDSA 密钥', '用 `landfall keygen` 生成密钥。', same],
  KEY_FORMAT: [
    '文件不是需要的 PEM 密钥',
    '签名用 .key 文件，验证用 .pub 文件；不要泄露私钥。',
    same,
  ],
  KEY_ENCRYPTED: [
    '密钥有口令，但没有终端可以输入',
    '设置环境变量 `LANDFALL_KEY_PASSPHRASE`，或在终端中运行。',
    same,
  ],
  KEY_PASSPHRASE: ['密钥的口令不正确', '重新输入；口令丢失后无法找回。'],
  KEY_EXPOSED: [
    '其他用户可以读取私钥文件',
    '对该文件运行 `chmod 600`；如果别人用过这台电脑，请生成新的密钥。',
    same,
  ],
  KEY_EXISTS: [
    '同名的密钥已存在',
    '所有版本都使用这个密钥并跳过这一步，或用 `--name`、`--output` 另外生成一个。',
    same,
  ],
  FILE_EXISTS: ['文件已存在', '换一个文件夹，或移走已有的文件。'],
  FILE_MISSING: ['文件不存在', '检查路径。'],
  FILE_ACCESS: ['没有访问文件的权限', '检查文件的所有者和权限，或换一个路径。'],
  DISK_FULL: ['磁盘空间不足', '释放空间；`sudo landfall doctor` 会列出占用空间大的内容。', same],
  STORE_BUSY: ['另一次构建占用了存储', '等它结束，或用 `--store` 换一个文件夹。', same],
  USER_DATA_TOO_LARGE: [
    'user-data 超过云服务商的大小限制',
    '按列表删减内容，或换用其他 `--format`。',
    same,
  ],
  USER_DATA_PROVIDER: ['未知的云服务商，或它不支持这种格式'],
  USER_DATA_MISMATCH: ['发布包、站点和引导程序不配套'],
  USER_DATA_URL: ['站点的下载地址没有提供发布包', '上传列出的文件，然后再检查一次。'],
  SSH_UNREACHABLE: [
    '无法通过 SSH 连接服务器',
    '检查地址、端口和安全组，然后重新运行同一条命令，它会继续。',
    same,
  ],
  SSH_DENIED: [
    'SSH 登录被拒绝',
    '先用 `ssh` 手动登录一次，确认用户名和密钥；用户需要 root 或 sudo 权限。',
  ],
  SSH_HOST_KEY: [
    '服务器的主机密钥未知或已改变',
    '与云服务商控制台里的指纹核对；重装过系统时运行 `ssh-keygen -R <地址>`。',
  ],
  SSH_FORWARD: [
    '服务器不允许 SSH 端口转发',
    '在服务器的 /etc/ssh/sshd_config 中设置 `AllowTcpForwarding yes`，并重启 sshd。',
    same,
  ],
  DOCKER_UNREACHABLE: ['Docker 没有响应', '启动 Docker，并检查您的权限。'],
  TOOL_MISSING: ['缺少必需的程序', '安装提示的软件包。'],
  PORT_TAKEN: [
    '端口被其他程序占用',
    '停止占用端口的程序（用 `ss -ltnp` 查找），或去掉 `--port`，使用空闲端口。',
    same,
  ],
  ...chineseServerErrors,
};

/** Returns the Chinese text of an error code, also of one that another release stored. */
export function chineseErrorOf(code: string): ChineseError | undefined {
  return Object.hasOwn(chineseErrors, code) ? chineseErrors[code as ErrorCode] : undefined;
}

/** An error that was thrown or stored. */
interface StoredError {
  readonly code?: string | undefined;
  readonly message: string;
  readonly hint?: string | undefined;
}

/**
 * Returns what to do about an error: its hint. In Chinese, the advice of its code comes first, and a hint
 * that says the same in English is left out. A Chinese hint stands alone.
 */
export function hintsOf(
  { code, hint }: Omit<StoredError, 'message'>,
  language: Language = currentLanguage(),
): Hints {
  if (language === 'en') return { hint };
  const text = hint && translated(hint);
  if (text !== undefined && isChinese(text)) return { advice: text };
  const [, advice, isSame] = chineseErrorOf(code ?? '') ?? [];
  return isSame ? { advice } : { advice, hint };
}

interface Hints {
  /** In Chinese. */
  readonly advice?: string | undefined;
  readonly hint?: string | undefined;
}

/**
 * Returns the message of an error, for its first line. In Chinese, one that has no translation comes below
 * the meaning of the code.
 */
export function headOf({ code, message }: Omit<StoredError, 'hint'>): {
  readonly head: string;
  readonly below?: string;
} {
  const text = translated(message);
  const [title] = (currentLanguage() === 'zh' && chineseErrorOf(code ?? '')) || [];
  return title === undefined || isChinese(text) ? { head: text } : { head: title, below: text };
}

/** Returns the message in each language; in Chinese after the meaning of the code, because it names the subject. */
export function messageOf({ code, message }: Omit<StoredError, 'hint'>): Text {
  const [title] = chineseErrorOf(code ?? '') ?? [];
  const text = translated(message);
  const isWhole = title === undefined || isChinese(text);
  return { en: message, zh: isWhole ? text : `${title}：${message}` };
}
