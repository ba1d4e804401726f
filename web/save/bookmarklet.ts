/**
 * The address of a bookmark that opens a small window of this server and hands it the page that is shown, with its open shadow roots. It asks
 * for no permission, and tells the page to no other window: the window says when it is there, and is told at this origin alone. The window
 * (`web/save/capture-window.ts`) checks where it is from.
 */
export function bookmarklet(origin: string): string {
  const code = `void(()=>{
const o=${JSON.stringify(origin)},d=document,r=[],l=location.href;
const f=n=>n.querySelectorAll("*").forEach(e=>{if(e.shadowRoot){r.push(e.shadowRoot);f(e.shadowRoot)}});
f(d);
const w=open(o+"/app/capture#"+new URLSearchParams({url:l}),"_blank","popup,width=460,height=560");
if(!w)return alert("The browser does not let this page open a window.");
addEventListener("message",function g(e){
if(e.origin!==o||e.source!==w||e.data!=="commonplace")return;
removeEventListener("message",g);
const h=d.documentElement,c=h.cloneNode(!1);
w.postMessage({url:l,title:d.title,selection:String(getSelection()),html:"<!doctype html>"+c.outerHTML.replace(/<\\/html>$/i,"")+(h.getHTML?h.getHTML({shadowRoots:r}):h.innerHTML)+"</html>"},o)
})
})()`;
  return `javascript:${encodeURIComponent(code.replaceAll('\n', ''))}`;
}
