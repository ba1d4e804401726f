import { manual, type SitePage } from './site-page.ts';
const m = manual;
const nav = [
  'Introduction',
  'Installation',
  'Workspaces',
  'Caching',
  'Remote cache',
  'Plugins',
  'Migration guide',
  'Command line reference',
  'Troubleshooting',
  'Release notes',
];
const links = (item: (text: string, slug: string) => string): string =>
  nav.map((text) => item(text, text.toLowerCase().replaceAll(' ', '-'))).join('');

const docusaurus: SitePage = {
  name: 'Docusaurus',
  url: 'https://orrery.example/docs/caching',
  html: `<!doctype html><html lang="en" dir="ltr" class="docs-wrapper plugin-docs plugin-id-default docs-version-current docs-doc-page" data-has-hydrated="false"><head>
<meta charset="UTF-8"><meta name="generator" content="Docusaurus v3.5.2"><title data-rh="true">Caching | Orrery</title>
<meta data-rh="true" property="og:title" content="Caching | Orrery"><meta data-rh="true" name="docusaurus_locale" content="en">
<meta data-rh="true" name="description" content="How results are cached."></head>
<body class="navigation-with-keyboard"><div id="__docusaurus">
<div role="region" aria-label="Skip to main content"><a class="skipToContent_fXgn" href="#__docusaurus_skipToContent_fallback">Skip to main content</a></div>
<nav aria-label="Main" class="navbar navbar--fixed-top"><div class="navbar__inner">
<div class="navbar__items"><a class="navbar__brand" href="/"><b class="navbar__title text--truncate">Orrery</b></a><a class="navbar__item navbar__link" href="/docs">Docs</a><a class="navbar__item navbar__link" href="/blog">Blog</a></div></div></nav>
<div id="__docusaurus_skipToContent_fallback" class="main-wrapper mainWrapper_z2l0">
<div class="docsWrapper_hBAB"><button aria-label="Scroll back to top" class="clean-btn theme-back-to-top-button backToTopButton_sjWU" type="button"></button>
<div class="docRoot_UBD9">
<aside class="theme-doc-sidebar-container docSidebarContainer_YfHR"><div class="sidebarViewport_aRkj"><div class="sidebar_njMd">
<nav aria-label="Docs sidebar" class="menu thin-scrollbar menu_SIkG">
<ul class="theme-doc-sidebar-menu menu__list">${links((t, s) => `<li class="theme-doc-sidebar-item-link menu__list-item"><a class="menu__link" href="/docs/${s}">${t}</a></li>`)}</ul></nav></div></div></aside>
<main class="docMainContainer_TBSr"><div class="container padding-top--md padding-bottom--lg"><div class="row"><div class="col docItemCol_VOVn">
<div class="docItemContainer_Djhp"><article><nav class="theme-doc-breadcrumbs breadcrumbsContainer_Z_bl" aria-label="Breadcrumbs">
<ul class="breadcrumbs"><li class="breadcrumbs__item"><a href="/">Home</a></li><li class="breadcrumbs__item breadcrumbs__item--active"><span class="breadcrumbs__link">Caching</span></li></ul></nav>
<div class="tocCollapsible_ETCw theme-doc-toc-mobile tocMobile_ITEo"><button type="button" class="clean-btn tocCollapsibleButton_TO0P">On this page</button></div>
<div class="theme-doc-markdown markdown"><header><h1>Caching</h1></header>
<p>${m[2]}</p>
<h2 class="anchor anchorWithStickyNavbar_LWe7" id="inputs">Inputs<a href="#inputs" class="hash-link" aria-label="Direct link to Inputs" title="Direct link to Inputs">​</a></h2><p>${m[1]}</p>
<div class="language-bash codeBlockContainer_Ckt0 theme-code-block" style="--prism-color:#393A34;--prism-background-color:#f6f8fa"><div class="codeBlockTitle_Ktv7">terminal</div><div class="codeBlockContent_biex"><pre tabindex="0" class="prism-code language-bash codeBlock_bY9V thin-scrollbar"><code class="codeBlockLines_e6Vv"><span class="token-line" style="color:#393A34"><span class="token plain">orrery run build </span><span class="token parameter variable" style="color:#36acaa">--dry</span><span class="token plain"></span><br></span><span class="token-line" style="color:#393A34"><span class="token plain" style="display:inline-block"></span><br></span><span class="token-line" style="color:#393A34"><span class="token plain">orrery cache prune</span><br></span></code></pre><div class="buttonGroup__atx"><button type="button" aria-label="Copy code to clipboard" title="Copy" class="clean-btn">Copy</button></div></div></div>
<div class="theme-admonition theme-admonition-tip admonition_xJq3 alert alert--success">
<div class="admonitionHeading_Gvgb"><span class="admonitionIcon_Rf37"><svg viewBox="0 0 12 16"></svg></span>tip</div>
<div class="admonitionContent_BuS1"><p>${m[8]}</p></div></div>
<h2 class="anchor" id="remote">Remote cache</h2><p>${m[7]}</p>
<div class="theme-tabs-container tabs-container tabList__CuJ"><ul role="tablist" aria-orientation="horizontal" class="tabs"><li role="tab" tabindex="0" aria-selected="true" class="tabs__item tabItem_LNqP tabs__item--active">npm</li><li role="tab" class="tabs__item tabItem_LNqP">pnpm</li></ul><div class="margin-top--md"><div role="tabpanel" class="tabItem_Ymn6"><div class="language-bash codeBlockContainer_Ckt0"><div class="codeBlockContent_biex"><pre class="prism-code language-bash"><code class="codeBlockLines_e6Vv"><span class="token-line"><span class="token plain">npm install orrery-cache</span><br></span></code></pre></div></div></div><div role="tabpanel" class="tabItem_Ymn6" hidden=""><div class="language-bash codeBlockContainer_Ckt0"><div class="codeBlockContent_biex"><pre class="prism-code language-bash"><code class="codeBlockLines_e6Vv"><span class="token-line"><span class="token plain">pnpm add orrery-cache</span><br></span></code></pre></div></div></div></div></div>
<table><thead><tr><th>Option</th><th>Default</th><th>Meaning</th></tr></thead><tbody>
<tr><td><code>cache.dir</code></td><td><code>.orrery</code></td><td>Where results are kept</td></tr>
<tr><td><code>cache.max</code></td><td><code>5 GB</code></td><td>When old results are removed</td></tr></tbody></table>
<p>${m[9]}</p></div><footer class="theme-doc-footer docusaurus-mt-lg"><div class="row margin-top--sm theme-doc-footer-edit-meta-row">
<div class="col"><a href="https://github.com/orrery/orrery/edit/main/docs/caching.md" class="theme-edit-this-page">Edit this page</a></div>
<div class="col lastUpdated_JAkA"><span class="theme-last-updated">Last updated<!-- --> on <b><time datetime="2024-09-03T11:00:00.000Z" itemprop="dateModified">Sep 3, 2024</time></b></span></div></div></footer></article>
<nav class="pagination-nav docusaurus-mt-lg" aria-label="Docs pages"><a class="pagination-nav__link pagination-nav__link--prev" href="/docs/workspaces">
<div class="pagination-nav__sublabel">Previous</div>
<div class="pagination-nav__label">Workspaces</div></a><a class="pagination-nav__link pagination-nav__link--next" href="/docs/remote-cache">
<div class="pagination-nav__sublabel">Next</div><div class="pagination-nav__label">Plugins</div></a></nav></div></div>
<div class="col col--3"><div class="tableOfContents_bqdL thin-scrollbar theme-doc-toc-desktop">
<ul class="table-of-contents table-of-contents__left-border"><li><a href="#inputs" class="table-of-contents__link">Inputs</a></li><li><a href="#remote" class="table-of-contents__link">Remote cache</a></li></ul></div></div></div></div></main></div></div></div>
<footer class="theme-layout-footer footer footer--dark"><div class="container"><div class="footer__links row">
<div class="theme-layout-footer-column col footer__col"><div class="footer__title">Community</div>
<ul class="footer__items"><li><a href="https://discord.gg/x">Discord</a></li><li><a href="https://stackoverflow.com/x">Stack Overflow</a></li></ul></div></div>
<div class="footer__bottom text--center">
<div class="footer__copyright">Copyright © 2024 Orrery. Built with Docusaurus.</div></div></div></footer></div></body></html>`,
  must: [
    m[2]!,
    '## Inputs',
    m[1]!,
    '```bash\norrery run build --dry\n\norrery cache prune\n```',
    m[8]!,
    '## Remote cache',
    m[7]!,
    'npm install orrery-cache',
    '| Option | Default | Meaning |',
    '`5 GB`',
    m[9]!,
  ],
  mustNot: ['Discord', 'Edit this page', 'Migration guide', 'Built with', 'Skip to', 'On this page', 'Troubleshooting'],
  title: 'Caching',
};

const mkdocs: SitePage = {
  name: 'MkDocs Material',
  url: 'https://orrery.example/guide/tasks/',
  html: `<!doctype html><html lang="en" class="no-js"><head><meta charset="utf-8"><meta name="generator" content="mkdocs-1.6.0, mkdocs-material-9.5.30">
<title>Running tasks - Orrery</title></head>
<body dir="ltr" data-md-color-scheme="default"><input class="md-toggle" data-md-toggle="drawer" type="checkbox" id="__drawer">
<div data-md-component="skip"><a href="#running-tasks" class="md-skip">Skip to content</a></div>
<header class="md-header md-header--shadow" data-md-component="header">
<nav class="md-header__inner md-grid" aria-label="Header"><a href=".." title="Orrery" class="md-header__button md-logo">Orrery</a><div class="md-header__title">
<div class="md-header__ellipsis"><div class="md-header__topic"><span class="md-ellipsis">Orrery</span></div>
<div class="md-header__topic"><span class="md-ellipsis">Running tasks</span></div></div></div>
<div class="md-search" role="dialog"><form class="md-search__form"><input type="text" class="md-search__input" placeholder="Search"></form>
<div class="md-search-result__meta">Initializing search</div></div></nav></header>
<div class="md-container" data-md-component="container"><main class="md-main"><div class="md-main__inner md-grid"><div class="md-sidebar md-sidebar--primary">
<nav class="md-nav md-nav--primary" aria-label="Navigation"><label class="md-nav__title" for="__drawer">Orrery</label>
<ul class="md-nav__list">${links((t, s) => `<li class="md-nav__item"><a href="../${s}/" class="md-nav__link"><span class="md-ellipsis">${t}</span></a></li>`)}</ul></nav></div>
<div class="md-sidebar md-sidebar--secondary">
<nav class="md-nav md-nav--secondary" aria-label="Table of contents"><label class="md-nav__title" for="__toc"><span class="md-nav__icon md-icon"></span>Table of contents</label>
<ul class="md-nav__list"><li class="md-nav__item"><a href="#in-parallel" class="md-nav__link"><span class="md-ellipsis">In parallel</span></a></li></ul></nav></div>
<div class="md-content" data-md-component="content">
<article class="md-content__inner md-typeset"><a href="https://github.com/orrery/orrery/edit/main/docs/tasks.md" title="Edit this page" class="md-content__button md-icon"></a>
<h1 id="running-tasks">Running tasks<a class="headerlink" href="#running-tasks" title="Permanent link">&para;</a></h1><p>${m[1]}</p>
<div class="language-python highlight"><span class="filename">tasks.py</span><table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre><span></span><span class="normal"><a href="#__codelineno-0-1">1</a></span>
<span class="normal"><a href="#__codelineno-0-2">2</a></span></pre></div></td><td class="code"><div><pre><span></span><code><a id="__codelineno-0-1" name="__codelineno-0-1"></a><span class="kn">from</span> <span class="nn">orrery</span> <span class="kn">import</span> <span class="n">task</span>
<a id="__codelineno-0-2" name="__codelineno-0-2"></a><span class="n">task</span><span class="p">(</span><span class="s2">"build"</span><span class="p">)</span>
</code></pre></div></td></tr></table></div>
<h2 id="in-parallel">In parallel<a class="headerlink" href="#in-parallel" title="Permanent link">&para;</a></h2><p>${m[5]}</p>
<div class="admonition warning"><p class="admonition-title">Warning</p><p>${m[6]}</p></div>
<details class="note"><summary>Why does it take so long?</summary><p>${m[4]}</p></details>
<div class="tabbed-set tabbed-alternate" data-tabs="1:2"><input checked="checked" id="__tabbed_1_1" name="__tabbed_1" type="radio"><input id="__tabbed_1_2" name="__tabbed_1" type="radio"><div class="tabbed-labels"><label for="__tabbed_1_1">Linux</label><label for="__tabbed_1_2">Windows</label></div><div class="tabbed-content"><div class="tabbed-block"><div class="highlight"><pre><span></span><code><a id="__codelineno-1-1"></a>curl -O https://orrery.example/linux.tar.gz
</code></pre></div></div><div class="tabbed-block"><div class="highlight"><pre><span></span><code><a id="__codelineno-2-1"></a>winget install orrery
</code></pre></div></div></div></div>
<p>${m[3]}</p><dl><dt>Worker</dt><dd><p>A process that runs one task at a time.</p></dd></dl>
<p>Results are signed<sup id="fnref:1"><a class="footnote-ref" href="#fn:1">1</a></sup> before they are uploaded to the remote cache by a worker.</p>
<div class="footnote"><hr>
<ol><li id="fn:1"><p>With the key of the machine that ran the task.&#160;<a class="footnote-backref" href="#fnref:1" title="Jump back to footnote 1 in the text">&#8617;</a></p></li></ol></div>
<aside class="md-source-file"><span class="md-source-file__fact"><span class="git-revision-date-localized-plugin git-revision-date-localized-plugin-date">July 28, 2024</span></span></aside></article></div></div></main>
<footer class="md-footer"><nav class="md-footer__inner md-grid" aria-label="Footer"><a href="../workspaces/" class="md-footer__link md-footer__link--prev">
<div class="md-footer__title"><span class="md-footer__direction">Previous</span><div class="md-ellipsis">Workspaces</div></div></a></nav>
<div class="md-footer-meta md-typeset">
<div class="md-copyright">Made with <a href="https://squidfunk.github.io/mkdocs-material/">Material for MkDocs</a></div></div></footer></div></body></html>`,
  must: [
    m[1]!,
    '```python\nfrom orrery import task\ntask("build")\n```',
    '## In parallel',
    m[5]!,
    m[6]!,
    m[4]!,
    'curl -O',
    'winget install orrery',
    m[3]!,
    'A process that runs one task',
    'signed[^1]',
    '[^1]: With the key',
  ],
  mustNot: ['Migration guide', 'Material for', 'Skip to', 'Initializing', 'Previous', '¶'],
  title: 'Running tasks',
};

const gitbook: SitePage = {
  name: 'GitBook',
  url: 'https://docs.orrery.example/getting-started/installation',
  html: `<!DOCTYPE html><html lang="en"><head><meta name="generator" content="GitBook (28f7fba)"><title>Installation | Orrery</title>
<meta property="og:title" content="Installation | Orrery"></head><body class="bg-tint-base"><div class="site-background fixed inset-0"></div>
<header id="site-header" class="flex flex-row w-full h-16 sticky top-0"><div class="scroll-nojump">
<div class="gap-4 flex"><a class="group/headerlogo" href="https://docs.orrery.example/">
<div class="text-pretty line-clamp-2">Orrery</div></a><button class="bg-tint-base"><div>Search...</div>
<div class="shortcut">⌘<kbd>K</kbd></div></button></div></div></header>
<div class="motion-safe:transition-all"><div class="flex flex-col lg:flex-row">
<aside data-testid="table-of-contents" id="table-of-contents" class="group text-sm">
<ul class="flex min-w-0 flex-col">${links((t, s) => `<li class="flex flex-col"><a class="group/toclink toclink relative" href="/getting-started/${s}">${t}</a></li>`)}</ul></aside>
<div class="flex-1 flex flex-row"><main class="relative min-w-0 flex-1 max-w-screen-lg mx-auto py-8 page-width-default">
<header class="max-w-3xl mx-auto mb-6 space-y-3 page-api-block:ml-0">
<h1 class="text-4xl font-bold flex items-center gap-4">Installation</h1><p class="text-lg text-tint">Get the tool on your machine.</p></header>
<div class="grid [&>*+*]:mt-5 whitespace-pre-wrap"><p class="mx-auto page-api-block:ml-0 max-w-3xl decoration-primary/6">${m[3]}</p>
<h2 id="first-run" class="heading flex items-baseline scroll-m-12">
<div class="hash grid"><a href="#first-run" aria-label="Direct link to heading"><svg></svg></a></div>
<div class="flex-1 z-[1] justify-self-start text-left">First run</div></h2><p class="mx-auto max-w-3xl">${m[4]}</p>
<div class="group/codeblock grid grid-flow-col mx-auto w-full max-w-3xl"><div class="flex items-center justify-start">orrery.toml</div><button class="group-hover/codeblock:opacity-[1]">Copy</button><pre class="overflow-auto min-w-0 bg-tint-subtle"><code id="code" class="min-w-full table p-3 [counter-reset:line]"><span class="highlight-line"><span class="highlight-line-content"><span style="color: rgb(var(--shiki))">[workspace]</span></span></span>
<span class="highlight-line"><span class="highlight-line-content"><span>packages = ["apps/*"]</span></span></span>
</code></pre></div>
<div class="hint transition-colors rounded-md hint-info"><div class="p-4"><svg></svg><div class="flex-1 space-y-4"><p>${m[8]}</p></div></div></div>
<div class="table w-full"><div role="table" class="overflow-auto"><div role="rowgroup"><div role="row" class="flex">
<div role="columnheader" class="columnHeader">Flag</div><div role="columnheader">What it does</div></div></div><div role="rowgroup">
<div role="row" class="flex"><div role="cell">--fast</div>
<div role="cell">Skips the checks that a server runs</div></div></div></div></div><p class="mx-auto">${m[0]}</p></div>
<div class="flex flex-col md:flex-row mt-6 gap-2 max-w-3xl"><a class="group text-sm p-2.5 flex gap-4" href="/getting-started/introduction"><span class="flex flex-col"><span class="text-xs">Previous</span><span class="text-base">Introduction</span></span></a><a href="/getting-started/workspaces" class="group"><span class="text-xs">Next</span><span>Workspaces</span></a></div>
<div class="flex flex-row mt-6 text-tint"><p class="text-sm">Last updated <time datetime="2024-08-01T09:00:00.000Z">2 months ago</time></p>
<div>Was this helpful?</div></div></main>
<aside class="group/aside hidden xl:flex"><div class="on-this-page">On this page</div>
<ul><li><a href="#first-run">First run</a></li></ul></aside></div></div></div></body></html>`,
  must: [m[3]!, '## First run', m[4]!, '[workspace]\npackages = ["apps/*"]', m[8]!, 'Skips the checks', m[0]!],
  mustNot: ['Migration guide', 'Was this helpful', 'On this page', 'Troubleshooting', 'Previous'],
  title: 'Installation',
};

const sphinx: SitePage = {
  name: 'Sphinx Read the Docs',
  url: 'https://orrery.readthedocs.io/en/latest/api/workspace.html',
  html: `<!DOCTYPE html><html class="writer-html5" lang="en" data-content_root="../"><head><meta charset="utf-8">
<title>orrery.workspace &mdash; Orrery 4.2 documentation</title></head><body class="wy-body-for-nav"><div class="wy-grid-for-nav">
<nav data-toggle="wy-nav-shift" class="wy-nav-side"><div class="wy-side-scroll">
<div class="wy-side-nav-search"><a href="../index.html" class="icon icon-home">Orrery</a>
<div role="search"><form id="rtd-search-form"><input type="text" name="q" placeholder="Search docs"></form></div></div>
<div class="wy-menu wy-menu-vertical" role="navigation"><p class="caption"><span class="caption-text">Contents:</span></p>
<ul>${links((t, s) => `<li class="toctree-l1"><a class="reference internal" href="../${s}.html">${t}</a></li>`)}</ul></div></div></nav>
<section data-toggle="wy-nav-shift" class="wy-nav-content-wrap">
<nav class="wy-nav-top" aria-label="Mobile navigation menu"><a href="../index.html">Orrery</a></nav><div class="wy-nav-content"><div class="rst-content">
<div role="navigation" aria-label="Page navigation">
<ul class="wy-breadcrumbs"><li><a href="../index.html" class="icon icon-home"></a></li><li class="breadcrumb-item active">orrery.workspace</li><li class="wy-breadcrumbs-aside"><a href="../_sources/api/workspace.rst.txt" rel="nofollow"> View page source</a></li></ul><hr></div>
<div role="main" class="document" itemscope itemtype="http://schema.org/Article"><div itemprop="articleBody">
<section id="module-orrery.workspace"><span id="orrery-workspace"></span>
<h1>orrery.workspace<a class="headerlink" href="#module-orrery.workspace" title="Link to this heading"></a></h1><p>${m[0]}</p>
<dl class="py class"><dt class="sig sig-object py" id="orrery.workspace.Workspace"><em class="property"><span class="pre">class</span><span class="w"> </span></em><span class="sig-prename descclassname"><span class="pre">orrery.workspace.</span></span><span class="sig-name descname"><span class="pre">Workspace</span></span><span class="sig-paren">(</span><em class="sig-param"><span class="n"><span class="pre">root</span></span><span class="p"><span class="pre">:</span></span><span class="w"> </span><span class="n"><span class="pre">Path</span></span></em>, <em class="sig-param"><span class="n"><span class="pre">strict</span></span><span class="o"><span class="pre">=</span></span><span class="default_value"><span class="pre">True</span></span></em><span class="sig-paren">)</span><a class="headerlink" href="#orrery.workspace.Workspace" title="Link to this definition">¶</a></dt><dd><p>The packages of one repository, read from its workspace file.</p><dl class="field-list simple"><dt class="field-odd">Parameters<span class="colon">:</span></dt><dd class="field-odd">
<ul class="simple"><li><p><strong>root</strong> – The directory with the workspace file.</p></li><li><p><strong>strict</strong> – Whether unknown keys are an error.</p></li></ul></dd><dt class="field-even">Raises<span class="colon">:</span></dt><dd class="field-even"><p><strong>FileNotFoundError</strong> – If there is no workspace file.</p></dd></dl>
<dl class="py method"><dt class="sig sig-object py" id="orrery.workspace.Workspace.build"><span class="sig-name descname"><span class="pre">build</span></span><span class="sig-paren">(</span><em class="sig-param"><span class="n"><span class="pre">names</span></span></em><span class="sig-paren">)</span><a class="headerlink" href="#x" title="Link to this definition">¶</a></dt><dd><p>${m[5]}</p><div class="highlight-python notranslate"><div class="highlight"><pre><span></span><span class="gp">&gt;&gt;&gt; </span><span class="n">w</span> <span class="o">=</span> <span class="n">Workspace</span><span class="p">(</span><span class="n">Path</span><span class="p">(</span><span class="s2">&quot;.&quot;</span><span class="p">))</span>
<span class="gp">&gt;&gt;&gt; </span><span class="n">w</span><span class="o">.</span><span class="n">build</span><span class="p">([</span><span class="s2">&quot;app&quot;</span><span class="p">])</span>
</pre></div></div></dd></dl></dd></dl>
<div class="admonition note"><p class="admonition-title">Note</p><p>${m[9]}</p></div>
<table class="docutils align-default" id="id1"><caption><span class="caption-text">Exit codes</span></caption><thead>
<tr class="row-odd"><th class="head"><p>Code</p></th><th class="head"><p>Meaning</p></th></tr></thead><tbody>
<tr class="row-even"><td><p>0</p></td><td><p>All tasks ran</p></td></tr>
<tr class="row-odd"><td><p>3</p></td><td><p>The workspace file is broken</p></td></tr></tbody></table></section></div></div>
<footer>
<div class="rst-footer-buttons" role="navigation" aria-label="Footer"><a href="cache.html" class="btn btn-neutral float-left" title="cache" accesskey="p" rel="prev"><span class="fa fa-arrow-circle-left"></span> Previous</a><a href="cli.html" class="btn btn-neutral float-right" rel="next">Next <span></span></a></div><hr>
<div role="contentinfo"><p>&#169; Copyright 2024, The Orrery people.</p></div>Built with <a href="https://www.sphinx-doc.org/">Sphinx</a> using a <a href="https://github.com/readthedocs/sphinx_rtd_theme">theme</a> provided by <a href="https://readthedocs.org">Read the Docs</a>.</footer></div></div></section></div></body></html>`,
  must: [
    m[0]!,
    'Workspace',
    'root',
    'strict',
    'The packages of one repository',
    'The directory with the workspace file.',
    'unknown keys are an error',
    'If there is no workspace file',
    'build',
    m[5]!,
    '```python\n>>> w = Workspace(Path("."))\n>>> w.build(["app"])\n```',
    m[9]!,
    'Exit codes',
    '| 3 | The workspace file is broken |',
  ],
  mustNot: ['Migration guide', 'Built with', 'Previous', 'View page source', '¶', 'Copyright'],
  title: 'orrery.workspace',
};

const vitepress: SitePage = {
  name: 'VitePress',
  url: 'https://orrery.example/guide/remote-cache.html',
  html: `<!DOCTYPE html><html lang="en-US" dir="ltr"><head><meta charset="utf-8"><title>Remote cache | Orrery</title>
<meta name="generator" content="VitePress v1.3.4"></head><body><div id="app">
<div class="Layout" data-v-5d98c3a5><span tabindex="-1"></span><a href="#VPContent" class="VPSkipLink visually-hidden"> Skip to content </a>
<header class="VPNav"><div class="VPNavBar"><div class="wrapper"><div class="container"><div class="title">
<div class="VPNavBarTitle has-sidebar"><a class="title" href="/"><span>Orrery</span></a></div></div><div class="content">
<nav aria-labelledby="main-nav-aria-label" class="VPNavBarMenu menu"><span id="main-nav-aria-label" class="visually-hidden"> Main Navigation </span><a class="VPLink link VPNavBarMenuLink" href="/guide/"><span>Guide</span></a></nav></div></div></div></div></header>
<div class="VPLocalNav has-sidebar empty"><button class="menu"><span class="menu-text">Menu</span></button><button class="VPLocalNavOutlineDropdown">Return to top</button></div>
<aside class="VPSidebar">
<nav class="nav" id="VPSidebarNav" aria-labelledby="sidebar-aria-label"><span class="visually-hidden" id="sidebar-aria-label"> Sidebar Navigation </span>
<div class="group"><section class="VPSidebarItem level-0"><div class="item"><h2 class="text">Guide</h2></div>
<div class="items">${links((t, s) => `<div class="VPSidebarItem level-1 is-link"><div class="item"><a class="VPLink link link" href="/guide/${s}.html"><p class="text">${t}</p></a></div></div>`)}</div></section></div></nav></aside>
<div class="VPContent has-sidebar" id="VPContent"><div class="VPDoc has-sidebar has-aside"><div class="container"><div class="aside">
<div class="aside-container"><div class="aside-content"><div class="VPDocAside">
<nav aria-labelledby="doc-outline-aria-label" class="VPDocAsideOutline" role="navigation"><div class="content">
<div class="outline-title" role="heading" aria-level="2" id="doc-outline-aria-label">On this page</div>
<ul class="VPDocOutlineItem root"></ul></div></nav></div></div></div></div>
<div class="content"><div class="content-container"><main class="main"><div style="position:relative;" class="vp-doc _guide_remote-cache"><div>
<h1 id="remote-cache" tabindex="-1">Remote cache <a class="header-anchor" href="#remote-cache" aria-label="Permalink to &quot;Remote cache&quot;">​</a></h1><p>${m[7]}</p>
<div class="vp-code-group vp-adaptive-theme"><div class="tabs"><input type="radio" name="group-0" id="tab-1" checked><label data-title="npm" for="tab-1">npm</label><input type="radio" name="group-0" id="tab-2"><label for="tab-2">yarn</label></div><div class="blocks"><div class="language-sh vp-adaptive-theme active"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#6F42C1;">npm</span><span style="--shiki-light:#032F62;"> add</span><span> -D orrery</span></span></code></pre></div><div class="language-sh vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">sh</span><pre class="shiki vp-code"><code><span class="line"><span>yarn</span><span> add -D orrery</span></span></code></pre></div></div></div>
<h2 id="keys" tabindex="-1">Keys <a class="header-anchor" href="#keys">​</a></h2><p>${m[2]}</p><div class="language-ts vp-adaptive-theme line-numbers-mode"><button title="Copy Code" class="copy"></button><span class="lang">ts</span><pre class="shiki vp-code" tabindex="0"><code><span class="line"><span>export</span><span> default</span><span> {</span></span>
<span class="line highlighted"><span>  remote</span><span>: </span><span>true</span><span>,</span></span>
<span class="line"><span>}</span></span></code></pre>
<div class="line-numbers-wrapper" aria-hidden="true"><span class="line-number">1</span><br><span class="line-number">2</span><br><span class="line-number">3</span><br></div></div>
<div class="tip custom-block"><p class="custom-block-title">TIP</p><p>${m[8]}</p></div><p>${m[9]}</p></div></div></main><footer class="VPDocFooter">
<div class="edit-info"><div class="edit-link"><a class="VPLink link edit-link-button" href="https://github.com/x">Edit this page on GitHub</a></div>
<div class="last-updated"><p class="VPLastUpdated">Last updated: <time datetime="2024-07-02T10:00:00.000Z"></time></p></div></div><nav class="prev-next">
<div class="pager"><a class="VPLink link pager-link prev" href="/guide/caching.html"><span class="desc">Previous page</span><span class="title">Caching</span></a></div></nav></footer></div></div></div></div></div>
<footer class="VPFooter has-sidebar">
<div class="container"><p class="message">Released under the MIT License.</p><p class="copyright">Copyright © 2024 Orrery</p></div></footer></div></div></body></html>`,
  must: [
    m[7]!,
    '```sh\nnpm add -D orrery\n```',
    '```sh\nyarn add -D orrery\n```',
    '## Keys',
    m[2]!,
    '```ts\nexport default {\n  remote: true,\n}\n```',
    m[8]!,
    m[9]!,
  ],
  mustNot: ['Migration guide', 'MIT License', 'Edit this page', 'Return to top', 'Previous page', '1\n2\n3', '1 2 3'],
  title: 'Remote cache',
};
const mdbook: SitePage = {
  name: 'mdBook',
  url: 'https://orrery.example/book/ch02-tasks.html',
  html: `<!DOCTYPE HTML><html lang="en" class="light sidebar-visible" dir="ltr"><head><meta charset="UTF-8"><title>Tasks - The Orrery Book</title></head><body><div id="body-container"><nav id="sidebar" class="sidebar" aria-label="Table of contents"><div class="sidebar-scrollbox"><ol class="chapter">${links((t, s) => `<li class="chapter-item expanded"><a href="${s}.html"><strong aria-hidden="true">1.</strong> ${t}</a></li>`)}</ol></div></nav><div id="page-wrapper" class="page-wrapper"><div class="page"><div id="menu-bar" class="menu-bar sticky"><div class="left-buttons"><ul id="theme-list" class="theme-popup" aria-label="Themes" role="menu"><li role="none"><button role="menuitem" class="theme" id="light">Light</button></li><li role="none"><button class="theme">Rust</button></li></ul></div><h1 class="menu-title">The Orrery Book</h1></div><div id="search-wrapper" class="hidden"><form id="searchbar-outer" class="searchbar-outer"><input type="search" placeholder="Search this book ..."></form></div><div id="content" class="content"><main><h1 id="tasks"><a class="header" href="#tasks">Tasks</a></h1><p>${m[1]}</p><p>${m[2]}</p><pre><pre class="playground"><code class="language-rust edition2021"><span class="boring">fn main() {
</span>let task = orrery::task("build");
task.run();
<span class="boring">}</span></code></pre></pre><p><span class="caption">Listing 2-1: A task that is run</span></p>
<h2 id="failures"><a class="header" href="#failures">Failures</a></h2><p>${m[6]}</p><p>${m[5]}</p></main>
<nav class="nav-wrapper" aria-label="Page navigation"><a rel="prev" href="ch01.html" class="mobile-nav-chapters previous"><i class="fa fa-angle-left"></i></a></nav></div></div></div></div></body></html>`,
  must: [
    m[1]!,
    m[2]!,
    '```rust',
    'let task = orrery::task("build");\ntask.run();',
    'Listing 2-1',
    '## ',
    'Failures',
    m[6]!,
    m[5]!,
  ],
  mustNot: ['Migration guide', 'Rust\n', 'Light'],
  title: 'Tasks',
};
export const documentation: SitePage[] = [docusaurus, mkdocs, gitbook, sphinx, vitepress, mdbook];
