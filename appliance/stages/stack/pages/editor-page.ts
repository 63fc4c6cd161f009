import type { Text } from '#contract/text/language.ts';
import { bodyOf, code, pathOf, type WritePage } from './page.ts';

const emailSteps: Text = {
  en: [
    '- Click `Sign in` at the top right of the editor.',
    '- Enter your email address and click `Continue`.',
    '- Enter the 6-digit code from the email.',
    '- Set a password, or enter the existing one.',
  ].join('\n'),
  zh: [
    '- 点击编辑器右上角的 `Sign in`。',
    '- 输入邮箱地址，点击 `Continue`。',
    '- 输入邮件中的 6 位验证码。',
    '- 设置密码，或输入已有密码。',
  ].join('\n'),
};

const failures: Text = {
  en: [
    '- The verification code does not arrive: check the spam folder; use an international mail provider.',
    "- The AI reply is empty, or shows `Network Error`: add the vendor's API domains to the rules of the proxy, or a wildcard such as `*.cursor.sh` to the PAC file.",
    '- The sign-in with a code-hosting account does not end: confirm `http.proxy`; on Windows, enable the loopback option of the proxy program; or sign in by email.',
  ].join('\n'),
  zh: [
    '- 收不到验证码：检查垃圾邮件，或改用国际邮箱。',
    '- AI 回复为空，或显示 `Network Error`：把厂商的 API 域名加入代理规则，或在 PAC 文件中加入通配符，例如 `*.cursor.sh`。',
    '- 用代码托管账号登录时一直转圈：确认 `http.proxy`；在 Windows 上开启代理软件的回环（loopback）选项；或改用邮箱登录。',
  ].join('\n'),
};

const proxyPath: Text = { en: pathOf('proxy', 'en'), zh: pathOf('proxy', 'zh') };
const proxyText: Text = {
  en: `This server has a proxy: [how to open its tunnel](${proxyPath.en}). It forwards only to the listed domains, so the administrator must allow those of the editor. Any other HTTP proxy works too.`,
  zh: `这台服务器提供代理：[如何打开隧道](${proxyPath.zh})。它只转发到允许列表中的域名，编辑器的域名需由管理员添加。也可以使用其他 HTTP 代理。`,
};

/** Writes the page about code editors on a restricted network (SPEC 2.7, 3.5, 7). */
export const editorPage: WritePage = ({ site }) => ({
  name: 'editor',
  title: { en: 'Code editors behind a proxy', zh: '在受限网络中使用代码编辑器' },
  summary: {
    en: 'How to configure the proxy of a code editor with AI, and how to sign in.',
    zh: '如何为带 AI 功能的代码编辑器设置代理并登录。',
  },
  body: bodyOf(
    {
      en: 'Keep the proxy on during the whole process: a sign-in that starts through the proxy and ends without it fails.',
      zh: '整个过程中代理必须保持开启：登录过程中途断开代理会导致登录失败。',
    },
    proxyText,
    { en: '## Configure and check', zh: '## 设置并检查' },
    {
      en: 'Install the editor from the website of its vendor, start it once and quit it. Then run on your computer:',
      zh: '从厂商官网安装编辑器，启动一次后完全退出。然后在自己的电脑上运行：',
    },
    code(
      'sh',
      `landfall editor configure --proxy http://USER@127.0.0.1:${site.ports.tinyproxy}`,
      'landfall editor check',
    ),
    {
      en: 'The last line of the check is `Connected`. A reply takes 1 to 2 seconds at most.',
      zh: '检查结果的最后一行应为 `Connected`，响应时间应在 1 到 2 秒以内。',
    },
    { en: '## Sign in', zh: '## 登录' },
    emailSteps,
    {
      en: 'Or choose the button of a code-hosting site, and approve the access in the browser. The browser must reach that site through the proxy too.',
      zh: '也可以点击代码托管网站的按钮，在浏览器中同意授权。浏览器也必须通过代理访问该网站。',
    },
    {
      en: 'You are signed in when your avatar is at the top right and the AI icon is green. The command `AI: Check Connection` shows `Connected`.',
      zh: '右上角显示头像、AI 图标变为绿色，即登录成功。运行命令 `AI: Check Connection` 应显示 `Connected`。',
    },
    { en: '## If something fails', zh: '## 常见故障' },
    failures,
  ),
});
