;; Answers lines of numbers as exported programs read them, by way of an environment function like the
;; course's.
(doseq [line (line-seq (java.io.BufferedReader. *in*))]
  (let [numbers (mapv #(Long/parseLong %) (re-seq #"-?\d+" line))
        [energy health round start] numbers
        remembers (> (count numbers) 200)
        env (fn [x y]
              (let [at (+ (* 7 (+ y 3)) x 3)
                    [fuel who e h] (subvec numbers (+ 4 (* 4 at)))]
                {:fuel fuel
                 :occupant (when (pos? who)
                             {:species (if (= who 1) :own :other) :energy e :health h
                              :data (when remembers {:round 0 :memory (numbers (+ 201 at))})})}))
        data (if remembers {:round round :memory (numbers 200)} round)
        action (with-redefs [rand-int (constantly start)] (amoeba energy health :own env data))]
    (assert (= (:data action) (:child-data action)))
    (assert (= (inc round) (if remembers (:round (:data action)) (:data action))))
    (apply println ({:rest 0 :move 1 :hit 2 :divide 3} (:cmd action)) (or (:dir action) 0)
           (when remembers [(:memory (:data action))]))))
