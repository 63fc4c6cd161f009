import type { Problem } from '#contract/errors.ts';
import type { Text } from '#contract/text/language.ts';
import { formatProblem } from '#contract/text/problem.ts';
import type { Host } from '../../server/host/host.ts';
import type { Context, StageName } from '../../server/stage/stage.ts';
import type { DnsRecord } from '../../stages/tls/resolve-hosts.ts';
import type { FindingCode } from './codes.ts';

/** A fault of the server. */
export interface Finding {
  readonly code: FindingCode;
  /** What the fault is about: a component, a host name, a file. */
  readonly subject: string;
  /** One sentence without a full stop. Programs get the English one. */
  readonly text: Text;
  readonly details?: readonly string[];
  /** The DNS record to create. */
  readonly record?: DnsRecord;
  /** Present if an automatic fix is safe: it never changes SSH, accounts or the firewall. */
  readonly fix?: Fix;
}

export interface Fix {
  /** What the fix will do: `start Docker`. Findings with the same English text share one fix. */
  readonly does: Text;
  apply(tools: FixTools): Promise<void>;
}

/** What fixes may use. */
export interface FixTools {
  readonly host: Host;
  /** Runs one stage of the first boot: checks, applies and verifies it. */
  runStage(name: SafeStage): Promise<void>;
}

/** What the fix of each stage will do. Only stages that cannot lock out the administrator have one. */
const stageFixes = {
  route: { en: 'apply the route and the mirrors of the site', zh: '应用站点的线路和镜像源' },
  kernel: { en: 'apply the settings of the system', zh: '应用系统设置' },
  runtime: { en: 'install Docker and apply its settings', zh: '安装 Docker 并应用其设置' },
  images: { en: 'bring the images of the release into Docker', zh: '把版本的镜像载入 Docker' },
  secrets: { en: 'generate the missing secrets', zh: '生成缺少的密码和密钥' },
  stack: {
    en: 'write the settings of the stack and start its components',
    zh: '写入组件的配置并启动组件',
  },
  tls: {
    en: 'issue or request the certificate again, and load it into the gateway',
    zh: '重新签发或申请证书，并载入网关',
  },
  models: { en: 'download the missing models', zh: '下载缺少的模型' },
  report: { en: 'write the report again', zh: '重新生成报告' },
} as const satisfies Partial<Record<StageName, Text>>;
type SafeStage = keyof typeof stageFixes;

/** Returns a fix that runs a stage of the first boot. */
export function stageFix(name: SafeStage): Fix {
  return { does: stageFixes[name], apply: ({ runStage }) => runStage(name) };
}

/** Returns whether a stage has a safe fix. */
export function hasStageFix(name: StageName): name is SafeStage {
  return name in stageFixes;
}

interface CheckParts {
  /** Short stable name: `docker`. */
  readonly name: string;
  /** Whether it must be run as root. */
  readonly root: boolean;
}

interface ServerCheck extends CheckParts {
  readonly needs: 'server';
  run(host: Host): Promise<readonly Finding[]>;
}

interface SiteCheck extends CheckParts {
  readonly needs: 'site';
  run(context: Context): Promise<readonly Finding[]>;
}

/** A read-only check that returns what is wrong; empty on a healthy server. */
export type Check = ServerCheck | SiteCheck;

/** Returns a check that needs no site: it also runs on a server whose site is unreadable. */
export function serverCheck(parts: CheckParts, run: ServerCheck['run']): ServerCheck {
  return { ...parts, needs: 'server', run };
}

/** Returns a check that reads the site. */
export function siteCheck(parts: CheckParts, run: SiteCheck['run']): SiteCheck {
  return { ...parts, needs: 'site', run };
}

/** Returns the problems and the hint of an error as details of a finding. */
export function detailsOf({
  problems = [],
  hint,
}: {
  readonly problems?: readonly Problem[] | undefined;
  readonly hint?: string | undefined;
}): string[] {
  return [...problems.map((problem) => formatProblem(problem)), ...(hint ? [hint] : [])];
}
