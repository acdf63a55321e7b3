// Plays a recording in the page that draw-player.ts draws; a file, because no page allows inline script.
(function () {
  var events = JSON.parse(document.getElementById("events").textContent);
  var [play, place, time, stage] = ["play", "place", "time", "stage"].map((id) =>
    document.getElementById(id),
  );
  var replayer = new window.rrweb.Replayer(events, {
    root: stage,
    mouseTail: false,
    showWarning: false,
    skipInactive: true,
  });
  var { totalTime } = replayer.getMetaData();
  var isPlaying = false;
  place.max = String(totalTime);

  var clock = (ms) => Math.floor(ms / 60000) + ":" + String(Math.floor(ms / 1000) % 60).padStart(2, "0");
  function show(ms) {
    place.value = String(ms);
    time.textContent = clock(ms) + " of " + clock(totalTime);
  }
  function setPlaying(next) {
    isPlaying = next;
    play.textContent = next ? "Pause" : "Play";
  }
  // The recorded window may be wider than this one.
  function fit() {
    var { iframe, wrapper } = replayer;
    var scale = Math.min(1, stage.clientWidth / (Number(iframe.width) || stage.clientWidth));
    wrapper.style.transform = "scale(" + scale + ")";
    stage.style.height = Number(iframe.height) * scale + "px";
  }

  replayer.on("resize", fit);
  replayer.on("finish", () => {
    setPlaying(false);
    show(totalTime);
  });
  window.addEventListener("resize", fit);
  play.addEventListener("click", () => {
    if (isPlaying) replayer.pause();
    else replayer.play(Number(place.value) >= totalTime ? 0 : Number(place.value));
    setPlaying(!isPlaying);
  });
  place.addEventListener("input", () => {
    setPlaying(false);
    replayer.pause(Number(place.value));
    show(Number(place.value));
  });
  setInterval(() => {
    if (isPlaying) show(Math.min(totalTime, replayer.getCurrentTime()));
  }, 200);
  replayer.pause(0);
  show(0);
})();
