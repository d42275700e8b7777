try{let t=localStorage.getItem("engram.theme");(t==="light"||t==="dark")&&(document.documentElement.dataset.theme=t)}catch{}
